/**
 * A report signed by the one who judged, so that others need not judge again: an envelope of DSSE (Dead Simple Signing
 * Envelope, version 1) around the bytes of the report, signed with Ed25519. Who has the public key can check it
 * with Quod or with any other tool that knows DSSE.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign,
  verify as verifySignature,
} from 'node:crypto';
import { z } from 'zod';
import { QuodError, errorText } from '../core/errors.ts';
import { hasKeyTwice, parsedJson } from '../core/json.ts';
import { clause } from '../core/sentence.ts';
import { reportSchema, reportText, type VerdictReport } from './report.ts';

const PAYLOAD_TYPE = 'application/vnd.quod.verdict-report+json';

/** DSSE allows the standard alphabet and the one for URLs; of the latter many tools leave the padding out. */
const encodedBytes = z.union([z.base64(), z.string().regex(/^[\w-]*={0,2}$/u)]);

export const envelopeSchema = z.object({
  payloadType: z.string(),
  payload: encodedBytes,
  signatures: z.array(z.object({ keyid: z.string().optional(), sig: encodedBytes })).min(1),
});

/** For who has no key, or not the right one. */
export const KEY_REMEDY =
  'Make a pair with `openssl genpkey -algorithm ed25519 -out key.pem` and `openssl pkey -in key.pem -pubout -out key.pub`.';

/** @throws QuodError `invalid-input` when it is not an Ed25519 private key in PEM. */
export function readPrivateKey(pem: string | Buffer, path: string): KeyObject {
  return ed25519(() => createPrivateKey(pem), 'private', path);
}

/** @throws QuodError `invalid-input` when it is not an Ed25519 public key in PEM. */
export function readPublicKey(pem: string | Buffer, path: string): KeyObject {
  return ed25519(() => createPublicKey(onlyPublic(pem)), 'public', path);
}

/** Node makes public keys of private ones and of certificates, too: who is given one of these is told. */
function onlyPublic(pem: string | Buffer): string {
  const text = pem.toString();
  const labels = [...text.matchAll(/-----BEGIN (?<label>[^\n-]+)-----/gu)].map(
    ({ groups }) => groups?.['label'],
  );
  const other = labels.find((label) => label !== 'PUBLIC KEY');
  if (other !== undefined) throw new Error(`the file holds "${other}"`);
  return text;
}

/** The envelope as JSON. */
export function attest(report: VerdictReport, key: KeyObject): string {
  const payload = Buffer.from(reportText(report));
  const signature = sign(null, preAuthenticated(PAYLOAD_TYPE, payload), key);
  const envelope = {
    payloadType: PAYLOAD_TYPE,
    payload: payload.toString('base64'),
    signatures: [{ keyid: keyIdentifier(createPublicKey(key)), sig: signature.toString('base64') }],
  };
  return `${JSON.stringify(envelope, undefined, 2)}\n`;
}

export type CheckedAttestation =
  | { readonly status: 'good'; readonly report: VerdictReport; readonly keyid: string }
  | { readonly status: 'bad'; readonly message: string };

/** Whether the holder of the key signed this report. Nothing of the report is believed before the signature is. */
export function checkAttestation(text: string, key: KeyObject): CheckedAttestation {
  const bad = (message: string): CheckedAttestation => ({ status: 'bad', message });
  const parsed = parsedJson(text);
  const envelope = envelopeSchema.safeParse(parsed);
  // Who reads the first of two payloads would read another report than this.
  if (envelope.success && hasKeyTwice(text, parsed)) return bad('It has an entry twice.');
  if (!envelope.success)
    return bad(
      reportSchema.safeParse(parsed).success
        ? 'It is a report without a signature. Signed is what `--attest` writes beside it, with `.dsse.json` behind its name.'
        : 'It is not a DSSE envelope.',
    );
  const { payloadType, payload, signatures } = envelope.data;
  if (payloadType !== PAYLOAD_TYPE) return bad(`It is signed as ${payloadType}, not as a report of Quod.`);
  const bytes = Buffer.from(payload, 'base64');
  const signed = preAuthenticated(payloadType, bytes);
  if (!signatures.some(({ sig }) => verifySignature(null, signed, key, Buffer.from(sig, 'base64'))))
    return bad('None of its signatures was made with this key over this report.');
  const report = reportSchema.safeParse(parsedJson(bytes.toString('utf8')));
  return report.success
    ? { status: 'good', report: report.data, keyid: keyIdentifier(key) }
    : bad('The signature is good, but what is signed is no report that this version of Quod knows.');
}

/** SHA-256 of the public key's standard encoding (SPKI). */
function keyIdentifier(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex');
}

/** What DSSE signs: type and content with their lengths, so that neither can be taken for the other. */
function preAuthenticated(type: string, payload: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `),
    payload,
  ]);
}

function ed25519(read: () => KeyObject, kind: 'private' | 'public', path: string): KeyObject {
  let key: KeyObject | undefined;
  let cause: unknown;
  try {
    key = read();
  } catch (error) {
    cause = error;
  }
  if (key?.asymmetricKeyType === 'ed25519') return key;
  throw new QuodError(
    'invalid-input',
    `This is not an Ed25519 ${kind} key in PEM${cause === undefined ? '' : `: ${clause(errorText(cause))}`}.`,
    {
      place: { file: path },
      remedy: KEY_REMEDY,
      cause,
    },
  );
}
