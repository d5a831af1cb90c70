/**
 * What has a program of the GNU C library take its memory in large pages, where the system leaves that to programs. A prover
 * spends a fifth of its processor time on taking pages of 4 KB one by one. Little of the last large page is lost: it takes a
 * hundred megabytes and more. Other libraries and systems do not know the variable.
 */
export const LARGE_PAGES: Readonly<Record<string, string>> = {
  // The second has the heap grow by more than a large page at once.
  GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1:glibc.malloc.top_pad=16777216',
};
