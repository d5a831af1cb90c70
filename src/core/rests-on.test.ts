import { expect, it } from 'vitest';
import { restsOnAxiomsText, restsOnOpenText } from './rests-on.ts';

it('says that there is no axiom, or which, and what is open', () => {
  expect(restsOnAxiomsText([])).toBe('rests on no axiom');
  expect(restsOnAxiomsText(['classic', 'choice'])).toBe('rests on classic, choice');
  expect(restsOnOpenText(['a', 'b'])).toBe('rests on statements that are open: a, b');
});
