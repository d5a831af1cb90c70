/**
 * What the file requires, where it is not compiled as it is written now: it is said, and can be compiled here. A `Require`
 * that Rocq refuses is one cause of all the errors behind it; where none is refused, what was checked rests on older files.
 */
import { counted } from '../../../../src/core/counted.ts';
import { useAsked } from '../../parts/asked.ts';
import { BuildFaults, BuildOrProgress, StaleLibraries, useBuild } from '../../parts/build.tsx';
import { buildBelow } from '../../parts/last-build.ts';
import { call } from '../../server/client.ts';
import type { Checking } from './checking.ts';
import type { OpenDocument } from './open-document.ts';

export function MissingRequires({ open }: { readonly open: OpenDocument }) {
  const isRefused = refusesRequire(open.checking.value);
  const build = useBuild();
  const asked = useAsked(
    async (signal) => {
      if (!isRefused) return 0;
      const { files } = await call('proof_status', {}, { signal });
      return files.filter(({ file, compiled }) => compiled === 'no' && file !== open.file).length;
    },
    [open, isRefused, build.job?.id, build.isRunning],
  );
  const uncompiled = asked.value;
  const { stale = [] } = open.checking.value.restsOn ?? {};
  const faults = <BuildFaults build={buildBelow(build, stale)} />;
  if (!isRefused || uncompiled === undefined || (uncompiled === 0 && !build.isRunning))
    return stale.length === 0 ? null : (
      <div class="outside">
        <StaleLibraries file={open.file} names={stale} />
        {faults}
      </div>
    );
  return (
    <div class="outside" role="status">
      <p>
        Rocq does not find what this file requires.{' '}
        {uncompiled > 0 &&
          `${counted(uncompiled, 'other file')} of the project ${uncompiled === 1 ? 'is' : 'are'} not compiled. `}
        The errors behind it may come from that alone.
      </p>
      <BuildOrProgress build={build} isPrimary file={open.file}>
        Build what it requires
      </BuildOrProgress>
      {faults}
    </div>
  );
}

function refusesRequire({ text, sentences }: Checking): boolean {
  return sentences.some(
    ({ status, from, to }) =>
      status === 'refused' && /^(?:From\s+\S+\s+)?Require\b/u.test(text.sliceString(from, to).trimStart()),
  );
}
