/**
 * What another command-line agent gets of the environment: what provers get, its own vendor's variables, the way to the
 * network, and Quod's own settings for the tools that it starts. The keys of other vendors, and whatever else is there,
 * are none of its business.
 */
import { environmentWith } from '../../process/rights/child-environment.ts';
import type { DriverName } from './driver-stream.ts';

/** Of Quod's own, the proof index may be a database whose address has a password; the token is of a server. */
const OF_ALL =
  /^(?:(?:HTTPS?|ALL|NO)_PROXY|(?:https?|all|no)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR)|QUOD_(?!PROOF_INDEX$|TOKEN$)\w+)$/u;

const OF_VENDOR: Readonly<Record<DriverName, RegExp>> = {
  'claude-code': /^(?:ANTHROPIC|CLAUDE)_\w+$/u,
  codex: /^(?:OPENAI|CODEX)_\w+$/u,
};

/** Clouds that Claude Code asks for its models, where its own switch for them is set. */
const CLOUDS = [
  { name: 'CLAUDE_CODE_USE_BEDROCK', variables: /^AWS_\w+$/u },
  { name: 'CLAUDE_CODE_USE_VERTEX', variables: /^(?:GOOGLE|CLOUD_ML|VERTEX)_\w+$/u },
];

export function driverEnvironment(driver: DriverName, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const clouds = CLOUDS.filter(
    ({ name }) => driver === 'claude-code' && !['', '0', 'false', undefined].includes(environment[name]),
  );
  const patterns = [OF_ALL, OF_VENDOR[driver], ...clouds.map(({ variables }) => variables)];
  return environmentWith(new RegExp(patterns.map(({ source }) => source).join('|'), 'u'), environment);
}
