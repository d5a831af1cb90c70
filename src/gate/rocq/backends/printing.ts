/** Settings under which the assumptions are printed, set after the judged unit was loaded: it may have set others, for all who require it. */
export const PRINTING: readonly string[] = [
  ...['Set Warnings "-all".', 'Set Debug "-all".'],
  ...['Set Printing All.', 'Unset Printing Universes.', 'Unset Mangle Names.'],
  ...['Set Printing Width 1000000.', 'Set Printing Depth 1000000.'],
];
