/** The keys under which it is recorded what the gate said of a file's proofs, by what they are. */

const OF_USERS = 'users-own/';

/** Of proofs that are not the run's. */
export function usersOwnKey(file: string): string {
  return `${OF_USERS}${file}`;
}

export function isOfUsersOwn(key: string): boolean {
  return key.startsWith(OF_USERS);
}

/** Of what was recorded as proved, when a run was resumed for the `resumed`th time. */
export function confirmedKey(resumed: number, file: string): string {
  return `resumed-${resumed}/${file}`;
}

/** The file of a `confirmedKey`; undefined for another key. */
export function confirmedFile(key: string): string | undefined {
  return /^resumed-\d+\/(.*)$/su.exec(key)?.[1];
}
