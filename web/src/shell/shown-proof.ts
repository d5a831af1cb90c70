/** Which proof somebody means who goes to a proof: that at the cursor, where a view has one. */
let address: (() => string | undefined) | undefined;

/** Says it for as long as a view is shown. @returns how to end that. */
export function meanProof(at: () => string | undefined): () => void {
  address = at;
  return () => {
    if (address === at) address = undefined;
  };
}

/** The address of its tree. */
export function shownProof(): string | undefined {
  return address?.();
}
