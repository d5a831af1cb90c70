/**
 * Exports as people write them, for attacks that are data: what a file declares above the small library
 * (judge/testing/small-library.ts), then changes of its text.
 *
 *     theorem t.{u} : TYPE := VALUE       also definition, opaque, unsafe definition, partial definition
 *     axiom lie : False
 *     inductive Box/1 : Prop → Prop       with the number of its parameters, if it has any
 *     | mk : ∀ (p : Prop), p → Box p      its constructors
 *     remove propext                      a constant of the library is left out
 *     # …                                 a remark
 *
 *     > cut before t                      what stands in the file from `t` on is left out
 *     > cut bytes 3                       so many bytes at its end are left out
 *     > append TEXT                       a further line; `append without end TEXT` leaves its end out
 *     > repeat t                          the line that declares `t` once more, at the end
 *     > move t before u
 *     > insert before t TEXT              a further line
 *     > change t OLD => NEW               in the line that declares `t`
 *     > meta LINE                         the first line; it is left out when nothing is said
 */
import { type Edit, type Step, writtenExport } from './written-export.ts';

export function exportOf(notation: string): string {
  const steps: Step[] = [];
  const edits: Edit[] = [];
  let constructors: Record<string, string> = {};
  for (const line of notation.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [, constructor, type] = /^\| (\S+) : (.*)$/.exec(line) ?? [];
    if (line.startsWith('> ')) edits.push(editOf(line.slice(2)));
    else if (constructor !== undefined && type !== undefined) constructors[constructor] = type;
    else {
      constructors = {};
      steps.push(stepOf(line, constructors));
    }
  }
  return writtenExport(steps, edits);
}

const WITH_VALUE =
  /^(theorem|definition|opaque|unsafe definition|partial definition) ((?:«[^»]*»|\S)+?)(?:\.\{([^}]*)\})? : (.*?) := (.*)$/;

function stepOf(line: string, constructors: Record<string, string>): Step {
  const [, kind, name = '', levels, type = '', value = ''] = WITH_VALUE.exec(line) ?? [];
  if (isWithValue(kind))
    return levels === undefined ? [kind, name, type, value] : [kind, name, type, value, levels];
  const axiom = /^axiom (\S+?)(?:\.\{([^}]*)\})? : (.*)$/.exec(line);
  if (axiom !== null) {
    const [, subject = '', of, states = ''] = axiom;
    return of === undefined ? ['axiom', subject, states] : ['axiom', subject, states, of];
  }
  const inductive = /^inductive (\S+?)(?:\.\{([^}]*)\})?(?:\/(\d+))? : (.*)$/.exec(line);
  if (inductive !== null) {
    const [, subject = '', of, parameters, sort = ''] = inductive;
    const settings = {
      ...(of !== undefined && { levels: of }),
      ...(parameters !== undefined && { parameters: Number(parameters) }),
    };
    return ['inductive', subject, sort, constructors, settings];
  }
  const [, removed] = /^remove (\S+)$/.exec(line) ?? [];
  if (removed === undefined) throw new Error(`This declares nothing: ${line}`);
  return ['remove', removed];
}

type WithValue = Extract<Step, { readonly 3: string }>[0];

function isWithValue(kind: string | undefined): kind is WithValue {
  return kind !== undefined;
}

function editOf(text: string): Edit {
  const found = (pattern: RegExp): RegExpExecArray | null => pattern.exec(text);
  let match = found(/^cut before (\S+)$/);
  if (match !== null) return { kind: 'cut-before', declaration: part(match, 1) };
  match = found(/^cut bytes (\d+)$/);
  if (match !== null) return { kind: 'cut-bytes', bytes: Number(part(match, 1)) };
  match = found(/^append (without end )?(.*)$/);
  if (match !== null)
    return { kind: 'append', text: match[1] === undefined ? `${part(match, 2)}\n` : part(match, 2) };
  match = found(/^repeat (\S+)$/);
  if (match !== null) return { kind: 'repeat', declaration: part(match, 1) };
  match = found(/^move (\S+) before (\S+)$/);
  if (match !== null) return { kind: 'move', declaration: part(match, 1), before: part(match, 2) };
  match = found(/^insert before (\S+) (.*)$/);
  if (match !== null) return { kind: 'insert', before: part(match, 1), text: part(match, 2) };
  match = found(/^change (\S+) (.*?) => (.*)$/);
  if (match !== null)
    return { kind: 'change', declaration: part(match, 1), from: part(match, 2), to: part(match, 3) };
  match = found(/^meta ?(.*)$/);
  if (match !== null) return { kind: 'meta', line: part(match, 1) };
  throw new Error(`This changes nothing: ${text}`);
}

function part(match: RegExpExecArray, number: number): string {
  const text = match[number];
  if (text === undefined) throw new Error(`${match[0]} has no part ${number}.`);
  return text;
}
