/**
 * How much of a model's context `tools/list` takes, for each list that `quod mcp` can show and for machines with
 * one or all provers. Characters are exact. Tokens are those of o200k_base where `js-tiktoken` can be imported
 * (`npm install --no-save js-tiktoken`), else an estimate of one for 4 characters, which is a little above what
 * that tokeniser counts for these lists.
 *   npx node bench/mcp/tool-tokens.ts
 */
import { listedTokens, listings } from '../../src/faces/mcp/listed-tokens.ts';

const count = await tokeniser();
const rows = listings().map(({ name, tools }) => {
  const text = JSON.stringify({ tools });
  return `| ${name} | ${tools.length} | ${text.length} | ${listedTokens(tools)} | ${count?.(text) ?? '–'} |`;
});
console.log(
  ['| list | tools | characters | estimate | o200k_base |', '|---|---|---|---|---|', ...rows].join('\n'),
);

async function tokeniser(): Promise<((text: string) => number) | undefined> {
  const name = 'js-tiktoken';
  try {
    const { getEncoding } = (await import(name)) as {
      getEncoding: (encoding: string) => { encode: (text: string) => readonly number[] };
    };
    const encoding = getEncoding('o200k_base');
    return (text) => encoding.encode(text).length;
  } catch {
    return undefined;
  }
}
