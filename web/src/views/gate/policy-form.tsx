/**
 * A policy as a form. What it says is one JSON text, which is also shown: the form writes it and nobody else has
 * to. A text that is no object is left alone by the form.
 */
import { useSignal } from '@preact/signals';
import { rested, useAsked } from '../../parts/asked.ts';
import { call } from '../../server/client.ts';
import { isPolicyObject, policyText, readPolicyText, type PolicyChoice } from './policy-choice.ts';

interface PolicyFormProps {
  readonly policy: string;
  readonly onChange: (policy: string) => void;
}

export function PolicyForm({ policy, onChange }: PolicyFormProps) {
  const terms = useAsked(
    async (gone) => {
      await rested(gone);
      return call('gate_policy', { policy }, { signal: gone });
    },
    [policy],
  );
  const choice = readPolicyText(policy);
  const change = (part: Partial<PolicyChoice>): void => onChange(policyText(policy, { ...choice, ...part }));
  const toggled = (list: readonly string[], name: string): readonly string[] =>
    list.includes(name) ? list.filter((one) => one !== name) : [...list, name];
  const meaning = (name: string): string =>
    terms.value?.entries.find((entry) => entry.name === name)?.meaning ?? '';
  return (
    <details class="policy-form">
      <summary>
        Policy:{' '}
        <small>{policy === '{}' ? 'the usual: axioms of the target, helper lemmas' : 'changed'}</small>
      </summary>
      <fieldset class="policy-fields" disabled={!isPolicyObject(policy)}>
        <label title={meaning('theorems')}>
          Theorems
          <Names
            placeholder="every hole of the target"
            names={choice.theorems}
            onNames={(theorems) => change({ theorems })}
          />
        </label>
        <label title={meaning('axioms')}>
          Axioms
          <Names
            placeholder="those of the target and its libraries"
            names={choice.axioms === 'target' ? [] : choice.axioms}
            onNames={(names) => change({ axioms: names.length === 0 ? 'target' : names })}
          />
        </label>
        <fieldset class="explained">
          <legend>Axioms that are allowed besides</legend>
          {(terms.value?.logic ?? []).map(({ name, meaning: says }) => (
            <label key={name} class="check">
              <input
                type="checkbox"
                checked={choice.logic.includes(name)}
                onChange={() => change({ logic: toggled(choice.logic, name) })}
              />
              <span>
                {name} <small>{says}</small>
              </span>
            </label>
          ))}
        </fieldset>
        <fieldset class="explained">
          <legend>Kernel checks that may be off</legend>
          {(terms.value?.flags ?? []).map(({ name, meaning: says }) => (
            <label key={name} class="check">
              <input
                type="checkbox"
                checked={choice.flags.includes(name)}
                onChange={() => change({ flags: toggled(choice.flags, name) })}
              />
              <span>
                {name} <small>{says}</small>
              </span>
            </label>
          ))}
        </fieldset>
        <label class="check" title={meaning('helperLemmas')}>
          <input
            type="checkbox"
            checked={choice.helperLemmas}
            onChange={({ currentTarget }) => change({ helperLemmas: currentTarget.checked })}
          />
          A submission may declare helper lemmas
        </label>
        <label class="check" title={meaning('requireSandbox')}>
          <input
            type="checkbox"
            checked={choice.requireSandbox}
            onChange={({ currentTarget }) => change({ requireSandbox: currentTarget.checked })}
          />
          Judge nothing without a sandbox
        </label>
      </fieldset>
      <label>
        As JSON
        <textarea
          rows={4}
          class="printed"
          spellcheck={false}
          value={policy}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      </label>
      {terms.value?.fault != null && (
        <p class="error-note" role="alert">
          {terms.value.fault}
        </p>
      )}
    </details>
  );
}

interface NamesProps {
  readonly placeholder: string;
  readonly names: readonly string[];
  readonly onNames: (names: readonly string[]) => void;
}

/** Names are taken as they are typed; how they are written stays as it was typed. */
function Names({ placeholder, names, onNames }: NamesProps) {
  const typed = useSignal(names.join(', '));
  const isOfNames = namesIn(typed.value).join(' ') === names.join(' ');
  return (
    <input
      placeholder={placeholder}
      value={isOfNames ? typed.value : names.join(', ')}
      onInput={({ currentTarget }) => {
        typed.value = currentTarget.value;
        onNames(namesIn(currentTarget.value));
      }}
    />
  );
}

function namesIn(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((name) => name !== '');
}
