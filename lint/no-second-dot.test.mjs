import { RuleTester } from 'eslint';
import tseslint from 'typescript-eslint';
import { describe, it } from 'vitest';
import { noSecondDot } from './no-second-dot.mjs';

RuleTester.describe = describe;
RuleTester.it = it;
RuleTester.itOnly = it.only;

const tester = new RuleTester({ languageOptions: { parser: tseslint.parser } });
const reported = (code) => ({ code, errors: [{ messageId: 'second' }] });

tester.run('no-second-dot', noSecondDot, {
  valid: [
    '`It died: ${clause(error.message)}.`',
    '`It died: ${error.message}`',
    '`${message}.v`',
    '`${name}.`',
    "`${isKnown ? 'It is known' : `It is ${name}`}.`",
    "`${names.join(', ')}.`",
    '`${message} It ends.`',
  ],
  invalid: [
    reported('`It died: ${error.message}.`'),
    reported('`${message}. Try again.`'),
    reported('`${message}.\\n`'),
    reported('`${cause?.message}.`'),
    reported("`${error.message ?? 'Nothing'}.`"),
    reported('`${errorText(error)}.`'),
    reported('`${z.prettifyError(error)}.`'),
    reported("`${faults.join('; ')}.`"),
    reported("`${isKnown ? 'It is known' : `It died: ${error.message}`}.`"),
  ],
});
