/** Whether a search that somebody asks for works already: of the same theorems, in the same text. */
import { JudgedText, type JudgedSentence } from '../../../../../src/provers/rocq/syntax/judged-text.ts';
import type { JobDetail } from '../../../server/job-details.ts';
import { getJson } from '../../../server/client.ts';
import type { Job } from '../../../server/jobs.ts';
import { addSearchNews, noNews } from './search-news.ts';

/** @param searches Of the file. @param text What stands on the disk. @param theorems Undefined: all holes. */
export async function runningSearch(
  searches: readonly Job[],
  text: string,
  theorems: readonly string[] | undefined,
): Promise<Job | undefined> {
  const wanted = JSON.stringify(theorems);
  for (const job of searches) {
    if (job.state !== 'running' || JSON.stringify(job.input['theorems']) !== wanted) continue;
    const details = await getJson<readonly JobDetail[]>(`/api/jobs/${job.id}/details?from=0`);
    const news = noNews();
    for (const detail of details.slice(0, 1)) addSearchNews(news, detail);
    // One that has told nothing yet reads the file now.
    if (news.searched === undefined || isOfText(news.searched, text)) return job;
  }
  return undefined;
}

function isOfText(searched: readonly JudgedSentence[], text: string): boolean {
  const written = (sentences: readonly JudgedSentence[]): string =>
    JSON.stringify(sentences.map(({ digest, proof }) => [digest, proof]));
  return written(searched) === written(new JudgedText(text).sentences);
}
