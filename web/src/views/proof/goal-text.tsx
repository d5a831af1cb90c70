/** A goal as text: hypotheses, those that the last step brought marked, and what is to be proved. */
import { changedHypotheses, type DrawnProof } from '../../../../src/drawing/drawn-proof.ts';

interface GoalTextProps {
  readonly proof: DrawnProof;
  /** Its place in the proof's goals. */
  readonly goal: number;
  /** The goal of before, against which changes are marked. */
  readonly before: number | null;
  readonly title?: string;
}

export function GoalText({ proof, goal, before, title }: GoalTextProps) {
  const shown = proof.goals[goal];
  if (shown === undefined) return null;
  const changed = changedHypotheses(proof, before, goal);
  return (
    <section class="goal-text">
      {title !== undefined && <h3>{title}</h3>}
      <ul aria-label="Hypotheses">
        {shown.hypotheses.map((place) => {
          const one = proof.hypotheses[place];
          if (one === undefined) return null;
          const body = one.body === null ? '' : ` := ${one.body}`;
          return (
            <li key={place} class="printed">
              <span class="name">{one.name}</span>
              {`${body} : ${one.type}`}
              {changed.has(place) && <mark>new</mark>}
            </li>
          );
        })}
      </ul>
      <p class="printed conclusion">
        <span class="turnstile" aria-hidden="true">
          ⊢
        </span>{' '}
        {shown.conclusion}
      </p>
    </section>
  );
}
