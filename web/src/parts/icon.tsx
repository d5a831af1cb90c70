/** An icon by its outline, in a field of 24 by 24. Decoration: what it means is said beside it. */
export function Icon({ outline, size = 16 }: { readonly outline: string; readonly size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path d={outline} />
    </svg>
  );
}
