/** The providers that Quod knows by name. All but two speak a protocol of OpenAI's, so that a new one is a line here. */
import { textWithoutCredentials } from '../address-credentials.ts';
import { underName } from '../../core/entry.ts';
import { QuodError } from '../../core/errors.ts';
import type { PROTOCOLS, Settings } from '../settings.ts';

export type Provider = {
  readonly name: string;
  readonly keyVariable: string | null;
  /** Runs on the user's machine: no key is needed and nobody is paid. */
  readonly free: boolean;
} & (
  | { readonly origin: 'quod'; readonly protocol: OpenAIProtocol; readonly url: string }
  /** The provider's package knows the address. */
  | { readonly origin: 'quod'; readonly protocol: VendorProtocol }
  /** The settings name the address. */
  | { readonly origin: 'settings'; readonly protocol: Protocol; readonly url: string }
);

type Protocol = (typeof PROTOCOLS)[number];
type VendorProtocol = 'anthropic' | 'google';
type OpenAIProtocol = Exclude<Protocol, VendorProtocol>;

const hosted = (
  name: string,
  url: string,
  keyVariable: string,
  protocol: OpenAIProtocol = 'chat',
): Provider => ({
  ...{ name, origin: 'quod', protocol },
  url,
  keyVariable,
  free: false,
});
const local = (name: string, url: string): Provider => ({
  ...{ name, origin: 'quod', protocol: 'chat' },
  url,
  keyVariable: null,
  free: true,
});

export const PROVIDERS: readonly Provider[] = [
  { name: 'anthropic', origin: 'quod', protocol: 'anthropic', keyVariable: 'ANTHROPIC_API_KEY', free: false },
  { name: 'google', origin: 'quod', protocol: 'google', keyVariable: 'GOOGLE_GENERATIVE_AI_API_KEY', free: false },
  hosted('openai', 'https://api.openai.com/v1', 'OPENAI_API_KEY', 'responses'),
  hosted('mistral', 'https://api.mistral.ai/v1', 'MISTRAL_API_KEY'),
  hosted('deepseek', 'https://api.deepseek.com/v1', 'DEEPSEEK_API_KEY'),
  hosted('openrouter', 'https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY'),
  hosted('groq', 'https://api.groq.com/openai/v1', 'GROQ_API_KEY'),
  hosted('together', 'https://api.together.xyz/v1', 'TOGETHER_API_KEY'),
  local('ollama', 'http://127.0.0.1:11434/v1'),
  local('lmstudio', 'http://127.0.0.1:1234/v1'),
  local('llamacpp', 'http://127.0.0.1:8080/v1'),
  local('vllm', 'http://127.0.0.1:8000/v1'),
];

export interface ModelName {
  readonly provider: Provider;
  /** What the provider calls it; may have slashes. */
  readonly model: string;
  /** `provider/model`. */
  readonly full: string;
}

function ownProvider(name: string): string {
  const says = JSON.stringify({ providers: { [name]: { url: 'http://127.0.0.1:9000/v1' } } });
  return `A server of your own is named in ~/.config/quod/agent.json (or a file for --config): ${says}.`;
}

/** @throws QuodError `invalid-input`. */
export function parseModelName(full: string, { providers }: Pick<Settings, 'providers'>): ModelName {
  const at = full.indexOf('/');
  const name = full.slice(0, Math.max(0, at));
  const model = full.slice(at + 1);
  const own = underName(providers, name);
  const shipped = PROVIDERS.find((one) => one.name === name);
  const provider: Provider | undefined =
    own === undefined
      ? shipped
      : { ...own, name, origin: 'settings', protocol: own.protocol ?? shipped?.protocol ?? 'chat' };
  if (provider === undefined || model === '') {
    const known = [...Object.keys(providers), ...PROVIDERS.map((one) => one.name)];
    const isUnknown = at > 0 && model !== '' && provider === undefined;
    const told = JSON.stringify(textWithoutCredentials(full));
    const said = isUnknown
      ? `There is no provider ${JSON.stringify(textWithoutCredentials(name))} (${told}).`
      : `${told} does not name a model.`;
    throw new QuodError('invalid-input', said, {
      remedy: `Write it as provider/model. Providers: ${[...new Set(known)].join(', ')}.${isUnknown ? ` ${ownProvider(textWithoutCredentials(name))}` : ''}`,
    });
  }
  return { provider, model, full };
}

/** The keys of providers that stand in the environment. */
export function keysIn(
  environment: NodeJS.ProcessEnv,
  { providers }: Pick<Settings, 'providers'>,
): readonly string[] {
  const variables = [...PROVIDERS, ...Object.values(providers)].map(({ keyVariable }) => keyVariable);
  return variables.flatMap((variable) => (variable === null ? [] : (environment[variable] ?? [])));
}
