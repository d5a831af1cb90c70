/** Who works in a run: the offline search alone, the model that is set up, or another one that is named. */
import type { OutputOf } from '../../server/client.ts';
import type { StartFields } from './start-fields.ts';

type Providers = OutputOf<'agent_providers'>;

export type Who = 'none' | 'configured' | 'named';

/** Undefined where it is no word for one. */
export function whoNamed(word: string | undefined): Who | undefined {
  return (['none', 'configured', 'named'] as const).find((one) => one === word);
}

/** What is chosen before anybody chooses: the model that is set up, and where there is none, none. */
export function whoOf(chosen: Who | undefined, { configured }: Pick<Providers, 'configured'>): Who {
  return chosen ?? (configured === null ? 'none' : 'configured');
}

interface ModelChoiceProps {
  readonly providers: Providers;
  readonly fields: StartFields;
}

export function ModelChoice({ providers, fields }: ModelChoiceProps) {
  const { configured } = providers;
  const who = whoOf(whoNamed(fields.read('who')), providers);
  const radio = (one: Who) => (
    <input
      type="radio"
      name="who"
      value={one}
      checked={who === one}
      onChange={() => fields.fill('who', one)}
    />
  );
  return (
    <fieldset class="model-choice">
      <legend>Model</legend>
      <label class="check">
        {radio('none')} No model: the offline search works alone, and nothing leaves this machine
      </label>
      {configured !== null && (
        <label class="check">
          {radio('configured')} The one that is set up: {configured}
        </label>
      )}
      <label class="check">
        {radio('named')} {configured === null ? 'One that I name' : 'Another one, that I name'}
      </label>
      {who === 'named' && (
        <>
          <label>
            Its name
            <input
              {...fields.text('model')}
              list="agent-models"
              placeholder="provider/model"
              required
              pattern="[^\-\s]\S*"
            />
            <datalist id="agent-models">
              {providers.providers
                .filter(({ has_key, local }) => has_key || local)
                .map(({ name }) => (
                  <option key={name} value={`${name}/`} />
                ))}
            </datalist>
          </label>
          <KeysNote providers={providers.providers} />
        </>
      )}
    </fieldset>
  );
}

function KeysNote({ providers }: Pick<Providers, 'providers'>) {
  const known = providers.filter(({ has_key }) => has_key).map(({ name }) => name);
  return (
    <small>
      {known.length === 0
        ? `No provider that Quod knows by name has its key in the server’s environment (${exampleOf(providers)}). Without one there are models on this machine, the system’s key store, servers that the settings name, and the offline search.`
        : `The server has keys for ${known.join(', ')}. They never come to this page.`}
    </small>
  );
}

function exampleOf(providers: Providers['providers']): string {
  return providers.find(({ key_variable }) => key_variable !== null)?.key_variable ?? 'there is none';
}
