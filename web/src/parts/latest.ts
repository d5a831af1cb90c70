/** Of several works that a part of the page began only the latest counts, and none once the part is gone. */
import { useEffect, useRef } from 'preact/hooks';

/** @returns how to begin a work; what that answers tells whether the work still counts. */
export function useLatest(): () => () => boolean {
  const latest = useRef<symbol | undefined>(undefined);
  useEffect(
    () => () => {
      latest.current = undefined;
    },
    [],
  );
  return () => {
    const mine = (latest.current = Symbol());
    return () => latest.current === mine;
  };
}
