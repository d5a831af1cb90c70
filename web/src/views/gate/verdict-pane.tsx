/** A kept verdict: findings at their places, what the statements rest on, and the signed report to keep. */
import { inPageWords, toldText } from '../../parts/page-words.ts';
import { cut, cutText } from '../../parts/cut.ts';
import { useSignal } from '@preact/signals';
import type { ComponentProps } from 'preact';
import { acceptedBut } from '../../../../src/core/rests-on.ts';
import { useAsked } from '../../parts/asked.ts';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { download } from '../../parts/download.ts';
import { ErrorNote, OldNote, Working } from '../../parts/notes.tsx';
import { useRestsOn, whyOldFile } from '../../parts/rests-on.ts';
import { whenText } from '../../parts/when.ts';
import { call, type OutputOf } from '../../server/client.ts';
import { MarkedText } from './marked-text.tsx';
import { SupportGraph } from './support-graph.tsx';

type Kept = OutputOf<'gate_kept'>;

const VERDICT_TONES: Readonly<Record<Kept['verdict'], Tone>> = {
  accepted: 'good',
  rejected: 'bad',
  unknown: 'open',
};

/** The verdict as one word. What rests on something open is not finished, and not green; nor is what need not hold now. */
export function VerdictBadge({
  verdict,
  open,
  isOld = false,
  title,
}: {
  readonly verdict: Kept['verdict'];
  readonly open: readonly string[];
  readonly isOld?: boolean;
  readonly title?: string;
}) {
  const isOpen = verdict === 'accepted' && open.length > 0;
  const tone = isOld ? 'plain' : isOpen ? 'open' : VERDICT_TONES[verdict];
  const word = `${acceptedBut(verdict, open)}${isOld ? ' when it was judged' : ''}`;
  return (
    <Badge tone={tone} title={title ?? word}>
      {word}
    </Badge>
  );
}

export function VerdictPane({ id }: { readonly id: string }) {
  const asked = useAsked((signal) => call('gate_kept', { id }, { signal }), [id]);
  if (asked.state === 'failed') return <ErrorNote error={asked.error} again={asked.again} />;
  if (asked.value === undefined) return <Working text="Reading the verdict" />;
  return <Verdict kept={asked.value} />;
}

/** A verdict that could not be kept is shown all the same, once. */
export function UnkeptVerdict({ answer, names }: UnkeptProps) {
  const { verdict, statements, findings, message, not_kept } = answer;
  const open = [...new Set(statements.flatMap(({ open_statements }) => open_statements))];
  return (
    <section class="verdict" aria-label="Verdict that was not kept">
      <header class="row">
        <h2 class="verdict-word">
          <VerdictBadge verdict={verdict} open={open} />
        </h2>
        <JudgedNames {...names} />
      </header>
      <p class="warning-note">{`This verdict could not be kept, and is gone with this page. ${not_kept ?? ''}`}</p>
      {message !== null && <p class="error-note printed">{message}</p>}
      <Findings findings={findings} />
      <Grounds {...answer} statements={statements.map((one) => ({ ...one, printed: null }))} />
    </section>
  );
}

function JudgedNames({ submission, target }: UnkeptProps['names']) {
  return (
    <span class="row judged-names">
      <code {...cutText(submission)} /> for <code {...cutText(target)} />
    </span>
  );
}

interface UnkeptProps {
  readonly answer: OutputOf<'gate_submit'>;
  readonly names: { readonly target: string; readonly submission: string };
}

type Finding = Kept['findings'][number];

interface FindingsProps {
  readonly findings: readonly Finding[];
  /** Where the judged texts are shown: goes to the place of a finding. */
  readonly onPlace?: (finding: Finding) => void;
}

function Findings({ findings, onPlace }: FindingsProps) {
  if (findings.length === 0) return null;
  return (
    <ol class="finding-list" aria-label="Findings">
      {findings.map((finding, index) => (
        <li key={index}>
          <button
            class="quiet place"
            disabled={finding.line === null || onPlace === undefined}
            onClick={() => onPlace?.(finding)}
          >
            <span {...cut(finding.file.split('/').at(-1) ?? '')}>
              {finding.line === null ? (finding.file.split('/').at(-1) ?? '') : `line ${finding.line}`}
            </span>
          </button>
          <div>
            <p class="printed">{finding.message}</p>
            <small>{`${toldText(finding.remedy)} [${finding.kind}]`}</small>
          </div>
        </li>
      ))}
    </ol>
  );
}

/** What the verdict says against itself, and what an accepted submission rests on. */
function Grounds({ verdict, warnings, statements }: GroundsProps) {
  return (
    <>
      {warnings.map(({ kind, message }, index) => (
        <p key={index} class="warning-note">{`${inPageWords(message)} [${kind}]`}</p>
      ))}
      {verdict === 'accepted' && (
        <>
          <h3>What it rests on</h3>
          <SupportGraph statements={statements} />
        </>
      )}
    </>
  );
}

interface GroundsProps extends Pick<Kept, 'verdict' | 'warnings'> {
  readonly statements: ComponentProps<typeof SupportGraph>['statements'];
}

/** Why it need not be the verdict on the files as they are now; of texts that were pasted it always is. */
function whyOldVerdict(
  { verdict, made_with }: Kept,
  now: ReturnType<typeof useRestsOn>['value'],
): string | undefined {
  if (verdict === 'unknown') return undefined;
  if (made_with === null) return whyOldFile(undefined, undefined, 'judge again');
  return made_with
    .map((made, index) => whyOldFile(made, now?.[index], 'judge again'))
    .find((why) => why !== undefined);
}

function Verdict({ kept }: { readonly kept: Kept }) {
  const rests = useRestsOn((kept.made_with ?? []).flatMap(({ file }) => file ?? []));
  const why = whyOldVerdict(kept, rests.state === 'failed' ? undefined : rests.value);
  const shown = useSignal<'submission' | 'target'>('submission');
  const line = useSignal(0);
  const isTarget = shown.value === 'target';
  const text = isTarget ? kept.target_text : kept.submission_text;
  const name = isTarget ? kept.target : kept.submission;
  const nameOf = (one: 'submission' | 'target'): string => (one === 'target' ? kept.target : kept.submission);
  const there = kept.findings.filter(({ file }) => file.split('/').at(-1) === name);
  return (
    <section class="verdict" aria-label={`Verdict ${kept.id}`}>
      <header class="row">
        <h2 class="verdict-word">
          <VerdictBadge verdict={kept.verdict} open={kept.open_statements} isOld={why !== undefined} />
        </h2>
        <JudgedNames {...kept} />
        <small>{`${whenText(kept.judged_at)} · ${kept.seconds.toFixed(1)} s`}</small>
      </header>
      {rests.state === 'failed' ? (
        <ErrorNote error={rests.error} again={rests.again} />
      ) : (
        <OldNote why={why} />
      )}
      {kept.message !== null && <p class="error-note printed">{kept.message}</p>}
      <Findings
        findings={kept.findings}
        onPlace={({ file, line: at }) => {
          shown.value =
            file.split('/').at(-1) === kept.target && kept.target !== kept.submission
              ? 'target'
              : 'submission';
          line.value = at ?? 0;
        }}
      />
      <div class={why === undefined ? '' : 'of-before'}>
        <Grounds {...kept} />
      </div>
      <div class="row verdict-keep">
        <button onClick={() => download(`${kept.id}.dsse.json`, 'application/json', kept.signed_report)}>
          Signed report
        </button>
        <button class="quiet" onClick={() => download(`${kept.id}.json`, 'application/json', kept.report)}>
          Report
        </button>
        <small>
          Checked with <code>{`quod report ${kept.id}.dsse.json --key ${kept.public_key}`}</code>
        </small>
      </div>
      <div class="row" role="tablist" aria-label="Judged texts">
        {(['submission', 'target'] as const).map((one) => (
          <button
            key={one}
            role="tab"
            class="quiet"
            aria-selected={shown.value === one}
            onClick={() => {
              shown.value = one;
              line.value = 0;
            }}
          >
            <span {...cut(nameOf(one))}>
              {one === 'target' ? 'Target' : 'Submission'}: {nameOf(one)}
            </span>
          </button>
        ))}
      </div>
      <MarkedText
        key={shown.value}
        text={text}
        label={`Text of the ${shown.value}`}
        findings={there}
        line={line.value}
      />
    </section>
  );
}
