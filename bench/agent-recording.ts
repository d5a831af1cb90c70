/**
 * Records conversations with a real server into a file that tests replay, or replays one.
 *   npx node bench/agent-recording.ts record https://api.openai.com/v1 talk.jsonl FOLDER
 *   npx node bench/agent-recording.ts replay talk.jsonl FOLDER
 * FOLDER is the one that the agent works in. The address that is printed belongs into `providers` of its settings.
 */
import { resolve } from 'node:path';
import { recordConversations, replayConversations } from '../src/agent/testing/recorded-conversations.ts';

const [what, ...words] = process.argv.slice(2);
const [first = '', second = '', third = '.'] = words;
if (what === 'record') console.log((await recordConversations(first, second, resolve(third))).url);
else if (what === 'replay') console.log((await replayConversations(first, resolve(second))).url);
else console.log('npx node bench/agent-recording.ts record URL FILE FOLDER | replay FILE FOLDER');
