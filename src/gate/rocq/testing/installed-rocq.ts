/** The Rocq that the tests find: which, and where its library is. */
import { execFileSync } from 'node:child_process';
import { findExecutable } from '../../../process/executable.ts';

export const coqc = findExecutable(['coqc']);

/** 816 for 8.16, 900 for 9.0; 0 where there is none. */
export const installedRelease = releaseOf(printed('--version'));
export const installedLibrary = printed('-where').trim();

function printed(option: string): string {
  return coqc === undefined ? '' : execFileSync(coqc, [option], { encoding: 'utf8' });
}

function releaseOf(banner: string): number {
  const [, major = '0', minor = '0'] = /version (\d+)\.(\d+)/.exec(banner) ?? [];
  return Number(major) * 100 + Number(minor);
}
