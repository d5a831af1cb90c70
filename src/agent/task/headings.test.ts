/** Quod's section of a task file is found by the rules of Markdown, and nothing outside of it changes. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withHandoff, withoutHandoff } from './task-file.ts';

/** Quod's section as it is written, with the mark that tells it from one of the user's. */
const own = (note: string): string =>
  `## Handoff\n\n<!-- Quod writes this section anew with each hand-off. -->\n\n${note}\n`;

test.each([
  ['a fence', '```md\n## Handoff\nKEEP\n```\n\nKEEP too\n'],
  ['another fence, that another does not close', '~~~\n```\n~~\n## Handoff\nKEEP\n~~~\nKEEP too\n'],
  ['a longer fence', '````\n```\n## Handoff\n```\n````\nKEEP too\n'],
  ['a comment', '<!--\n## Handoff\nKEEP\n-->\nKEEP too\n'],
  ['a comment behind text', 'Notes <!-- mine\n## Handoff\nKEEP -->\n'],
  ['HTML', '<details>\n## Handoff\nKEEP\n</details>\n\nKEEP too\n'],
  ['HTML that empty lines do not end', '<pre>\n\n## Handoff\nKEEP\n</pre>\n'],
  ['code by its indentation', '    ## Handoff\n    KEEP\n'],
  ['a quotation', '> ## Handoff\n> KEEP\n'],
])('what is called Handoff in %s is the user’s', (_, text) => {
  const once = withHandoff(text, 'one');
  expect(once).toBe(`${text}\n${own('one')}`);
  expect(withHandoff(once, 'two')).toBe(`${text}\n${own('two')}`);
  expect(withoutHandoff(text)).toBe(text);
});

test.each([
  'Next\n----\nKEEP\n',
  'Next\n===\nKEEP\n',
  'Next of\ntwo lines\n--\n',
  ' ## Next\nKEEP\n',
  '##\nKEEP\n',
])('a section ends before %j', (after) => {
  expect(withHandoff(`# t\n\n${own('old')}\n${after}`, 'new')).toBe(`# t\n\n${own('new')}\n${after}`);
});

test('a fence or a comment that nobody closed takes in neither the section nor what is behind it', () => {
  const open = '# t\n```\ncode\n';
  const once = withHandoff(open, 'one <!--');
  expect(once).toBe(`# t\n\`\`\`\ncode\n\`\`\`\n\n${own('one <!--\n-->')}`);
  expect(withHandoff(once, 'two')).toBe(`# t\n\`\`\`\ncode\n\`\`\`\n\n${own('two')}`);
});

test('whatever a task and the notes are made of, nothing of the task changes, and one note is in it', () => {
  const pieces = [
    ...[
      '# one',
      '## two',
      '##',
      ' ## three',
      '## Handoff',
      '## handoff!',
      '',
      '',
      'text',
      '----',
      '===',
      '- item',
      '> q',
    ],
    ...[
      '```',
      '````',
      '~~~',
      '```md',
      '<!--',
      '-->',
      'a <!-- b --> c',
      '`<!--`',
      '<div>',
      '<pre>',
      '</pre>',
      '    code',
      '\t',
    ],
  ];
  const lines = fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((all) => all.join('\n'));
  const task = lines.filter((text) => withoutHandoff(text) === text);
  fc.assert(
    fc.property(task, task, lines, lines, (before, after, one, two) => {
      const once = withHandoff(before, one);
      expect(once.startsWith(before)).toBe(true);
      const untilSection = once.slice(0, once.lastIndexOf(`## Handoff\n`));
      // What the user writes behind the section begins with a heading.
      const whole = `${once}\n## Mine\n${after}`;
      const twice = withHandoff(whole, two);
      expect(twice.startsWith(before)).toBe(true);
      expect(twice.endsWith(`\n## Mine\n${after}`)).toBe(true);
      expect(untilSection.length).toBeGreaterThanOrEqual(before.length);
      expect(withHandoff(twice, one)).toBe(withHandoff(whole, one));
    }),
    { numRuns: 1000 },
  );
});
