/**
 * Verdicts that are kept, under `.quod/verdicts` of the workspace: the judged texts, the report (which has the policy), and
 * the report signed with a key that is made there at the first verdict. What is kept is written once and never changed.
 */
import { withoutByteOrderMark } from '../../process/foreign-folder/byte-order-mark.ts';
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { z } from 'zod';
import { QuodError } from '../../core/errors.ts';
import { attest, checkAttestation, readPrivateKey, readPublicKey } from '../../gate/signed-report.ts';
import { reportSchema, reportText, type VerdictReport } from '../../gate/report.ts';
import { timedName } from '../../core/names/timed-name.ts';
import { sha256 } from '../../core/sha256.ts';
import { parsedJson } from '../../core/json.ts';
import { LARGEST_WRITTEN_BYTES, readRegularFileSync } from '../../process/foreign-folder/regular-file.ts';
import { unreadableFile } from '../../process/foreign-folder/unreadable-file.ts';
import { madeWithSchema, type MadeWith } from '../definition/rests-on.ts';
import { keepingIn, makeFolders, ownEntry, ownFolder } from '../../process/own-folder.ts';

const REPORT = 'report.json';
const SIGNED = 'report.json.dsse.json';
const MADE_WITH = 'made-with.json';

const storedMadeWithSchema = z.array(madeWithSchema);

export interface StoredVerdict {
  readonly id: string;
  readonly report: VerdictReport;
  readonly signed: string;
  readonly target: string;
  readonly submission: string;
  /** Not signed: it says what the verdict may be older than, and nothing for it. Undefined where nobody knows. */
  readonly madeWith: readonly MadeWith[] | undefined;
}

function verdictsFolder(root: string): string {
  return ownFolder(root, 'verdicts');
}

/** The public key that reports of the folder are checked with (PEM). */
export function publicKeyFile(root: string): string {
  return ownEntry(verdictsFolder(root), 'key.pub.pem');
}

/** Newest first; also those of which something is missing. */
export function listVerdicts(root: string): readonly string[] {
  const folder = verdictsFolder(root);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((id) => [REPORT, SIGNED].some((name) => existsSync(join(folder, id, name))))
    .sort()
    .reverse();
}

/**
 * A kept verdict, once its signature was checked with the key of the folder.
 *
 * @throws QuodError `not-found`, also where something that is kept with it is missing; `invalid-input` when what is kept
 * was changed by somebody.
 */
export function readVerdict(root: string, id: string): StoredVerdict {
  if (!listVerdicts(root).includes(id))
    throw new QuodError('not-found', `There is no verdict ${id}.`, { remedy: '`gate_history` lists them.' });
  const folder = ownEntry(verdictsFolder(root), id);
  const bytes = (name: string): Buffer => {
    const file = ownEntry(folder, name);
    try {
      return readRegularFileSync(file, LARGEST_WRITTEN_BYTES);
    } catch (cause) {
      const error = unreadableFile(file, cause, { what: `What is kept with verdict ${id}` });
      if (error.reason !== 'not-found') throw error;
      throw new QuodError('not-found', `${name}, which was kept with verdict ${id}, is gone.`, {
        place: { file },
        remedy: 'Judge again, or remove the whole folder to forget the verdict.',
        cause,
      });
    }
  };
  const text = (name: string): string => bytes(name).toString('utf8');
  const report = reportSchema.safeParse(parsedJson(text(REPORT))).data;
  if (report === undefined)
    throw new QuodError('invalid-input', `The report of verdict ${id} cannot be read.`, {
      place: { file: join(folder, REPORT) },
      remedy: 'It was changed by something else than Quod, or written by another version.',
    });
  const signed = text(SIGNED);
  requireSigned(root, { id, report, signed, folder });
  /** The text that was judged, and no other: its hash stands in the report. */
  const judged = (kind: 'target' | 'submission'): string => {
    const name = keptName(kind, report[kind].name);
    const found = bytes(name);
    // A compiled module is no text.
    if (sha256(found) === report[kind].sha256)
      return name.endsWith('.olean') ? '' : withoutByteOrderMark(found.toString('utf8'));
    throw new QuodError(
      'invalid-input',
      `The ${kind} kept with verdict ${id} is not the one that was judged.`,
      {
        place: { file: join(folder, name) },
        remedy: 'It was changed since. The verdict says nothing of what stands there now; judge it again.',
      },
    );
  };
  return {
    ...{ id, report, signed },
    target: judged('target'),
    submission: judged('submission'),
    madeWith: storedMadeWithSchema.safeParse(
      existsSync(join(folder, MADE_WITH)) ? parsedJson(text(MADE_WITH)) : undefined,
    ).data,
  };
}

interface Signed extends Pick<StoredVerdict, 'id' | 'report' | 'signed'> {
  readonly folder: string;
}

/** @throws QuodError `invalid-input` unless the key of the folder signed this very report. */
function requireSigned(root: string, { id, report, signed, folder }: Signed): void {
  const attested = checkAttestation(signed, checkingKey(root));
  if (attested.status === 'good' && reportText(attested.report) === reportText(report)) return;
  const [name, message] =
    attested.status === 'good'
      ? [REPORT, `The report of verdict ${id} was changed: another was signed.`]
      : [SIGNED, `The signed report of verdict ${id} is not one of this folder's key: ${attested.message}`];
  throw new QuodError('invalid-input', message, {
    place: { file: join(folder, name) },
    remedy: 'Nothing of it is believed. Judge again, or remove the folder to forget the verdict.',
  });
}

/** The public half, also where only the private one is left. */
function checkingKey(root: string): KeyObject {
  const own = publicKeyFile(root);
  const secret = ownEntry(verdictsFolder(root), 'key.pem');
  if (!existsSync(own) && existsSync(secret))
    return createPublicKey(readPrivateKey(readRegularFileSync(secret), secret));
  try {
    return readPublicKey(readRegularFileSync(own), own);
  } catch (cause) {
    throw unreadableFile(own, cause, {
      what: 'The key that kept verdicts are checked with',
      ifMissing: 'Kept verdicts are checked with this key: bring it back.',
    });
  }
}

export interface VerdictToKeep {
  readonly report: VerdictReport;
  readonly target: Uint8Array;
  readonly submission: Uint8Array;
  /** Of the two, those that are files of the workspace; undefined where nobody knows. */
  readonly madeWith: readonly MadeWith[] | undefined;
}

/** @returns its id, which begins with its time. @throws QuodError where nothing can be kept in the folder. */
export function keepVerdict(root: string, verdict: VerdictToKeep): string {
  const all = verdictsFolder(root);
  return keepingIn(all, 'What Quod keeps of verdicts', () => writeVerdict(root, all, verdict));
}

function writeVerdict(
  root: string,
  all: string,
  { report, target, submission, madeWith }: VerdictToKeep,
): string {
  const id = timedName(new Date(report.judgedAt));
  makeFolders(all);
  mkdirSync(join(all, id));
  // The user's repository is not the place to keep them, unless the user wants to.
  const ignore = ownEntry(all, '.gitignore');
  if (!existsSync(ignore)) writeFileSync(ignore, '*\n');
  const write = (name: string, content: string | Uint8Array): void =>
    writeFileSync(join(all, id, basename(name)), content, { flag: 'wx' });
  try {
    write(keptName('target', report.target.name), target);
    write(keptName('submission', report.submission.name), submission);
    if (madeWith !== undefined) write(MADE_WITH, JSON.stringify(madeWith));
    write(SIGNED, attest(report, signingKey(root)));
    // Last: what has a report is whole.
    write(REPORT, reportText(report));
  } catch (error) {
    rmSync(join(all, id), { recursive: true, force: true });
    throw error;
  }
  return id;
}

const LONGEST_NAME_BYTES = 255;

/** A name as long as names may be leaves no room for what it is. */
function keptName(kind: 'target' | 'submission', name: string): string {
  const whole = `${kind}-${name}`;
  const isShort = Buffer.byteLength(whole) <= LONGEST_NAME_BYTES;
  return isShort ? whole : `${kind}-${sha256(name)}${extname(name)}`;
}

/** The folder's own key, readable by its owner alone. */
function signingKey(root: string): KeyObject {
  const file = ownEntry(verdictsFolder(root), 'key.pem');
  if (!existsSync(file)) {
    if (existsSync(publicKeyFile(root))) {
      throw new QuodError(
        'invalid-input',
        'The key that signs verdicts is missing, and its public half is there.',
        {
          place: { file },
          remedy:
            'Bring it back, or move key.pub.pem away: earlier reports are checked with it. A new pair is made then.',
        },
      );
    }
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' });
    writeFileSync(publicKeyFile(root), publicKey.export({ type: 'spki', format: 'pem' }));
  }
  return readPrivateKey(readRegularFileSync(file), file);
}
