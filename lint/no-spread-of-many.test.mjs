import { RuleTester } from 'eslint';
import { describe, it } from 'vitest';
import { noSpreadOfMany } from './no-spread-of-many.mjs';

RuleTester.describe = describe;
RuleTester.it = it;
RuleTester.itOnly = it.only;

const reported = (code) => ({ code, errors: [{ messageId: 'many' }] });

new RuleTester().run('no-spread-of-many', noSpreadOfMany, {
  valid: [
    'appendAll(list, more);',
    'list.push(first, second);',
    'list.push({ ...one, place });',
    'const all = [first, ...more];',
    'greatestOf([0, ...lengths]);',
    'Math.max(first, second);',
    'run(...inputs);',
  ],
  invalid: [
    'list.push(...more);',
    'this.list.push(first, ...more);',
    'lists.at(-1)?.push(...more);',
    'list.splice(at, 1, ...more);',
    'list.concat(...lists);',
    'Math.max(0, ...lengths);',
    'String.fromCharCode(...codes);',
  ].map(reported),
});
