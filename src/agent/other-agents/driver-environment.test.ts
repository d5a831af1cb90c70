import { expect, test } from 'vitest';
import { driverEnvironment } from './driver-environment.ts';

const KEYS = {
  ...{ ANTHROPIC_API_KEY: 'a', CLAUDE_CODE_OAUTH_TOKEN: 'b', OPENAI_API_KEY: 'c', CODEX_HOME: 'd' },
  ...{
    GITHUB_TOKEN: 'e',
    DATABASE_URL: 'f',
    AWS_SECRET_ACCESS_KEY: 'g',
    GOOGLE_APPLICATION_CREDENTIALS: 'h',
  },
  ...{ QUOD_TOKEN: 'i', QUOD_PROOF_INDEX: 'postgres://u:p@h/x', MISTRAL_API_KEY: 'j' },
};
const SHARED = { PATH: '/bin', HTTPS_PROXY: 'p', no_proxy: 'q', QUOD_CONFIG: '/nowhere', COQPATH: '/lib' };
const told = (driver: 'claude-code' | 'codex', more: Record<string, string> = {}): string[] =>
  Object.keys(driverEnvironment(driver, { ...SHARED, ...KEYS, ...more })).toSorted();

test('another agent gets its own vendor’s variables, and nobody else’s keys', () => {
  const shared = Object.keys(SHARED);
  const anthropic = [...shared, 'ANTHROPIC_API_KEY', 'CLAUDE_CODE_OAUTH_TOKEN'];
  expect(told('claude-code')).toEqual(anthropic.toSorted());
  expect(told('codex')).toEqual([...shared, 'OPENAI_API_KEY', 'CODEX_HOME'].toSorted());
});

test('keys of a cloud are told where the agent is switched to it', () => {
  expect(told('claude-code', { CLAUDE_CODE_USE_BEDROCK: '1' })).toContain('AWS_SECRET_ACCESS_KEY');
  expect(told('claude-code', { CLAUDE_CODE_USE_VERTEX: '1' })).toContain('GOOGLE_APPLICATION_CREDENTIALS');
  for (const said of ['', '0', 'false'])
    expect(told('claude-code', { CLAUDE_CODE_USE_BEDROCK: said })).not.toContain('AWS_SECRET_ACCESS_KEY');
  expect(told('codex', { CLAUDE_CODE_USE_BEDROCK: '1' })).not.toContain('AWS_SECRET_ACCESS_KEY');
});
