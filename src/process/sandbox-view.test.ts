import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { asOutside, viewOf, type ViewSettings } from './sandbox-view.ts';

const home = realpathSync(mkdtempSync(join(tmpdir(), 'quod-view-')));
beforeAll(() => {
  for (const folder of ['project/theories', 'project/theories2', 'prover/bin', 'prover/lib', 'bin'])
    mkdirSync(join(home, folder), { recursive: true });
  writeFileSync(join(home, 'prover/bin/prove'), '');
});
afterAll(() => rmSync(home, { recursive: true }));

function view(settings: Partial<ViewSettings>) {
  return viewOf({
    ...{ program: '/usr/bin/coqc', arguments: [], readable: [], environment: {} },
    ...{ diskBytes: 1000, outputBytes: 1000 },
    ...settings,
  });
}

const bound = (settings: Partial<ViewSettings>) =>
  view(settings).mounts.flatMap((mount) =>
    mount.kind === 'read-only' && mount.from.startsWith(home) ? [mount.to] : [],
  );

describe('a view', () => {
  it('has no path of a home, in mounts, arguments or environment', () => {
    const project = join(home, 'project');
    const { command, environment } = view({
      readable: [project, join(project, 'theories')],
      arguments: [
        '-R',
        `${project}/theories`,
        'T',
        `-I${project}`,
        `--include=${project}/a`,
        `${project}/theories2`,
      ],
      environment: { COQPATH: `${project}:${project}/theories` },
    });
    expect(bound({ readable: [project, join(project, 'theories')] })).toEqual(['/readable/1', '/readable/2']);
    expect(command).toEqual([
      ...['/usr/bin/coqc', '-R', '/readable/2', 'T', '-I/readable/1', '--include=/readable/1/a'],
      '/readable/1/theories2',
    ]);
    expect(environment['COQPATH']).toBe('/readable/1:/readable/2');
  });

  it('leaves the installation of the program where it is, and links to the program', () => {
    const program = join(home, 'prover/bin/prove');
    expect(bound({ program, readable: [join(home, 'prover/lib'), join(home, 'project')] })).toEqual([
      join(home, 'prover/lib'),
      '/readable/2',
    ]);
    expect(view({ program, readable: [join(home, 'prover')] }).mounts).toContainEqual({
      ...{ kind: 'link', at: '/proc/self/exe', to: program },
    });
  });

  it('tells what was said inside by the paths that are outside', () => {
    const theories = join(home, 'project/theories');
    const { given } = view({ readable: [join(home, 'project'), theories] });
    expect(asOutside('File /readable/2/Lib.vo is corrupted; "/readable/1", /readable/11/a', given)).toBe(
      `File ${theories}/Lib.vo is corrupted; "${home}/project", /readable/11/a`,
    );
    expect(asOutside('/readable/1 is nobody’s')).toBe('/readable/1 is nobody’s');
  });

  it('does not mount again what is of the system, nor what is not there', () => {
    expect(view({ readable: ['/usr/lib', join(home, 'nowhere'), 'relative'] }).given).toEqual([]);
  });

  it('takes of the search path what is of the system', () => {
    vi.stubEnv('PATH', `${home}/bin:/usr/bin:relative`);
    const path = view({}).environment['PATH'] ?? '';
    vi.unstubAllEnvs();
    expect(path).not.toContain(home);
    expect(path.split(':')).toContain('/usr/bin');
    expect(path.split(':')).not.toContain('relative');
  });
});
