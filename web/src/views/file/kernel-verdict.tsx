/** What Quod's kernel says of a compiled Lean module or an export. */
import { Remedy } from '../../parts/notes.tsx';
import { restsOnAxiomsText } from '../../../../src/core/rests-on.ts';
import { counted } from '../../../../src/core/counted.ts';
import { Badge } from '../../parts/badge.tsx';
import type { Tone } from '../../parts/badge.tsx';
import { Term } from '../../parts/goal.tsx';
import type { OutputOf } from '../../server/client.ts';

type Checked = OutputOf<'lean_check'>;

const TONES: Readonly<Record<Checked['verdict'], Tone>> = {
  accepted: 'good',
  rejected: 'bad',
  unknown: 'open',
};

export function KernelVerdict({ checked }: { readonly checked: Checked }) {
  const { verdict, message, findings, statements, theorems, declarations, checked_modules, trusted_modules } =
    checked;
  return (
    <>
      <p class="row">
        <Badge tone={TONES[verdict]}>{verdict}</Badge>
        <small hidden={verdict === 'unknown' && declarations === 0}>
          {counted(declarations, 'declaration')}, {counted(theorems, 'theorem')};{' '}
          {counted(checked_modules, 'module')} checked, {trusted_modules} taken as they are
        </small>
      </p>
      {message !== null && <p class="note">{message}</p>}
      <ul class="errors">
        {findings.map(({ kind, subject, message: what, remedy }) => (
          <li key={`${kind}:${subject}:${what}`} class="error-note">
            <strong>
              {kind} {subject}
            </strong>
            <pre class="printed">{what}</pre>
            <Remedy text={remedy} />
          </li>
        ))}
      </ul>
      {statements.length > 0 && (
        <details>
          <summary>{counted(statements.length, 'theorem')} with their axioms</summary>
          <ul class="errors">
            {statements.map(({ name, type, axioms }) => (
              <li key={name}>
                <strong>{name}</strong> <Term text={type} />
                <small> {restsOnAxiomsText(axioms)}</small>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
