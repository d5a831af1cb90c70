import { expect, test } from 'vitest';
import {
  hasCredentials,
  passwordsIn,
  textWithoutCredentials,
  withoutCredentials,
} from './address-credentials.ts';

const SECRET = 'hunter2';
const FORMS = [
  `https://user:${SECRET}@models.example/v1`,
  `https://${SECRET}@models.example/v1`,
  `https://:${SECRET}@models.example/v1`,
  `https:user:${SECRET}@models.example/v1`,
  `https:\\\\user:${SECRET}@models.example/v1`,
  `https:/user:${SECRET}@models.example/v1`,
  `HTTPS://user:${SECRET}@models.example/v1`,
  `https://user:it's"<${SECRET}@models.example/v1`,
  `https://user:p@${SECRET}@models.example/v1`,
  `https://models.example/v1?api_key=${SECRET}`,
  `https://models.example/v1?a=b&key=${SECRET}`,
  `https://models.example/v1#${SECRET}`,
  `https://user@models.example/v1?x=1#${SECRET}`,
  `postgres://user:${SECRET}@database.example:5432/proofs`,
  `ws://user:${SECRET}@models.example/`,
];

test.each(FORMS)('an address as %s is told without what may be a key', (address) => {
  expect(hasCredentials(address)).toBe(true);
  expect(withoutCredentials(address)).not.toContain(SECRET);
  expect(withoutCredentials(address)).toMatch(/example/u);
  expect(textWithoutCredentials(address)).not.toContain(SECRET);
});

test.each(FORMS.filter((form) => form.includes('://') && !form.includes("'")))(
  'nor where %s stands in a text',
  (address) => {
    expect(textWithoutCredentials(`Cannot reach "${address}", or so.`)).not.toContain(SECRET);
  },
);

test('everything else stays as it is', () => {
  const others = [
    'ollama/qwen?3',
    '/home/me/C#/prompts',
    'C:\\me\\prompts',
    'https://models.example/v1',
    'me@example',
    'http://127.0.0.1:1234/v1/',
  ];
  for (const text of others) expect(textWithoutCredentials(text)).toBe(text);
  expect(hasCredentials('https://models.example:8080/v1')).toBe(false);
});

test.each([
  ['http://me:correct%20horse@proxy:3128', ['correct%20horse', 'correct horse']],
  ['me:pass@word@proxy:3128', ['pass@word', 'pass@word']],
  ['socks5://:secret100%@proxy', ['secret100%', 'secret100%']],
  ['http://proxy:3128', []],
  ['http://me@proxy:3128/a:b@c', []],
  ['/usr/bin:/bin', []],
])('the password of an address in the environment: %s', (value, passwords) => {
  expect(passwordsIn({ HTTPS_PROXY: value })).toEqual(passwords);
});
