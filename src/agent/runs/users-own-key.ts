/** Under which the gate's word on proofs is recorded that are not the run's, by file. */
const BEGINNING = 'users-own/';

export function usersOwnKey(file: string): string {
  return `${BEGINNING}${file}`;
}

export function isOfUsersOwn(key: string): boolean {
  return key.startsWith(BEGINNING);
}
