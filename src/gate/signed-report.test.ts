import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../core/sha256.ts';
import { DEFAULT_LIMITS } from './policy.ts';
import { attest, checkAttestation, readPrivateKey, readPublicKey } from './signed-report.ts';
import { reportOn, reportSchema, reportText, type VerdictReport } from './report.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');

const report = (submission = Buffer.from('submission')): VerdictReport =>
  reportOn({
    target: { path: 'some/folder/T.v', bytes: Buffer.from('\uFEFFtarget') },
    submission: { path: 'S.v', bytes: submission },
    policy: { axioms: [], limits: { time: 5000, memory: undefined } },
    policyFile: { path: 'policy.toml', bytes: Buffer.from('axioms = []') },
    verdict: {
      kind: 'accepted',
      statements: [
        {
          name: 't',
          printed: 't : True',
          assumptions: ['A.b'],
          openStatements: ['open'],
          printedGrounds: [{ name: 'A.b', printed: 'False' }],
        },
      ],
      restsOn: {
        prover: 'rocq 8.16.1',
        backend: 'coqc',
        // Of the text, without the byte order mark.
        targetSha256: sha256('target'),
        submissionSha256: sha256('submission'),
        pinnedBy: ['text'],
        warnings: [{ kind: 'no-sandbox', message: 'none here' }],
        elapsedMs: 3,
      },
    },
    quodVersion: '0.1.0',
    judgedAt: new Date(0),
    elapsedMs: 4,
  });

it('a report has the hashes of all inputs, the entries of the policy and all its limits, and says nothing of folders', () => {
  const made = report();
  expect(reportSchema.parse(JSON.parse(reportText(made)))).toEqual(made);
  expect(made.target).toEqual({
    name: 'T.v',
    bytes: 9,
    sha256: 'c37865e1f4cf40c7e9257880d9823ca0881e0b45a3eca2eb699833361d9780f8',
  });
  expect(made.policy.entries).toEqual({ axioms: [] });
  expect(made.policy.limits).toEqual({ ...DEFAULT_LIMITS, time: 5000 });
  expect(made.warnings).toEqual([{ kind: 'no-sandbox', message: 'none here' }]);
  expect(made.statements).toEqual([
    {
      name: 't',
      printed: 't : True',
      assumptions: ['A.b'],
      openStatements: ['open'],
      printedGrounds: [{ name: 'A.b', printed: 'False' }],
    },
  ]);
  expect(reportText(made)).not.toContain('some/folder');
});

it('there is no report on other bytes than those that were judged', () => {
  expect(() => report(Buffer.from('another submission'))).toThrow(
    expect.objectContaining({ reason: 'file-changed', place: { file: 'S.v' } }),
  );
});

describe('an attestation', () => {
  it('is good under the key that made it, and gives the report back', () => {
    const checked = checkAttestation(attest(report(), privateKey), publicKey);
    expect(checked).toMatchObject({ status: 'good', report: report() });
  });

  it.each([
    ['as tools write it for URLs', (text: string) => text.replaceAll('+', '-').replaceAll('/', '_')],
    ['for URLs without padding', (text: string) => Buffer.from(text, 'base64').toString('base64url')],
  ])('is good in the other alphabet that DSSE allows: %s', (_name, written) => {
    const envelope = JSON.parse(attest(report(), privateKey)) as {
      payload: string;
      signatures: { sig: string }[];
    };
    const other = {
      ...envelope,
      payload: written(envelope.payload),
      signatures: envelope.signatures.map((one) => ({ ...one, sig: written(one.sig) })),
    };
    expect(checkAttestation(JSON.stringify(other), publicKey)).toMatchObject({
      ...{ status: 'good', report: report() },
    });
    const mixed = { ...envelope, payload: `${envelope.payload}+_` };
    expect(checkAttestation(JSON.stringify(mixed), publicKey)).toMatchObject({
      ...{ status: 'bad', message: 'It is not a DSSE envelope.' },
    });
  });

  it('has each entry once', () => {
    const text = attest(report(), privateKey);
    const twice = text.replace('"payload"', '"payload": "e30=", "payload"');
    expect(checkAttestation(twice, publicKey)).toEqual({ status: 'bad', message: 'It has an entry twice.' });
  });

  it('is told from the report that it signs', () => {
    expect(checkAttestation(reportText(report()), publicKey)).toMatchObject({
      status: 'bad',
      message: expect.stringContaining('without a signature') as unknown,
    });
  });

  it('is bad under another key', () => {
    const other = generateKeyPairSync('ed25519').publicKey;
    expect(checkAttestation(attest(report(), privateKey), other)).toMatchObject({ status: 'bad' });
  });

  it('does not survive the change of a single character that means something', () => {
    const text = attest(report(), privateKey);
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.constantFrom('A', 'z', '0', '"', '}'), (at, character) => {
        const changed = text.slice(0, at) + character + text.slice(at + 1);
        const checked = checkAttestation(changed, publicKey);
        if (checked.status === 'good') expect(checked.report).toEqual(report());
      }),
      { numRuns: 500 },
    );
  });

  it('of another type, or of no report, is none', () => {
    const envelope = JSON.parse(attest(report(), privateKey)) as Record<string, unknown>;
    const check = (changed: unknown) => checkAttestation(JSON.stringify(changed), publicKey).status;
    expect(check({ ...envelope, payloadType: 'text/plain' })).toBe('bad');
    expect(check({ ...envelope, signatures: [] })).toBe('bad');
    expect(check([])).toBe('bad');
    expect(checkAttestation('{', publicKey).status).toBe('bad');
    expect(checkAttestation(attest({} as VerdictReport, privateKey), publicKey)).toMatchObject({
      message: expect.stringContaining('no report') as unknown,
    });
  });

  it('keys are read from PEM, and others than Ed25519 are refused', () => {
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
    const key = readPrivateKey(pem, 'key.pem');
    expect(checkAttestation(attest(report(), key), publicKey).status).toBe('good');
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
    expect(() => readPrivateKey(rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }), 'k')).toThrow(
      'Ed25519',
    );
    expect(() => readPublicKey('nonsense', 'k')).toThrow('Ed25519 public key');
    // Node would make a public key of each of these.
    expect(() => readPublicKey(pem, 'k')).toThrow('PRIVATE KEY');
    const both = `${String(publicKey.export({ type: 'spki', format: 'pem' }))}${String(pem)}`;
    expect(() => readPublicKey(both, 'k')).toThrow('PRIVATE KEY');
    expect(() =>
      readPublicKey('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n', 'k'),
    ).toThrow('CERTIFICATE');
    expect(readPublicKey(publicKey.export({ type: 'spki', format: 'pem' }), 'k').type).toBe('public');
  });
});
