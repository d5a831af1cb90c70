/** Addresses without what may be a password or a key: what is recorded, shown and told is read by others. */

/** What stands before the host, behind a question mark or behind a number sign. */
export function withoutCredentials(address: string): string {
  if (!hasCredentials(address)) return address;
  const url = parsedAddress(address);
  if (url === undefined) return withoutPasswords(address);
  url.username = '';
  url.password = '';
  url.search = '';
  url.hash = '';
  return withoutPasswords(url.href);
}

/** Whether an address holds more than a scheme, a host and a path. */
export function hasCredentials(address: string): boolean {
  const url = parsedAddress(address);
  if (url === undefined) return withoutPasswords(address) !== address;
  return (
    [url.username, url.password, url.search, url.hash].some((part) => part !== '') || /[?#]/u.test(address)
  );
}

/** Of a text, in which addresses may stand anywhere. */
export function textWithoutCredentials(text: string): string {
  if (!/\s/u.test(text) && parsedAddress(text) !== undefined) return withoutCredentials(text);
  return text.replace(/\b[a-z][a-z\d+.-]*:\/\/[^\s"'<>]+/giu, withoutPasswords);
}

/** By its form alone: for what no parser takes for an address. */
function withoutPasswords(address: string): string {
  return address.replace(/[?#].*$/su, '').replace(/^([a-z][a-z\d+.-]*:[/\\]*)[^/\\]*@/iu, '$1');
}

/** Undefined also for what only looks like one: `C:\prompts`, `mailto:someone`. */
function parsedAddress(text: string): URL | undefined {
  const url = URL.parse(text);
  return url !== null && url.host !== '' ? url : undefined;
}

/** The passwords in addresses that stand in the environment, such as those of proxies: as they are written, and decoded. */
export function passwordsIn(environment: NodeJS.ProcessEnv): readonly string[] {
  return Object.values(environment).flatMap((value = '') => {
    // A proxy may stand there without a scheme.
    const [, password] = /^(?:[a-z][a-z\d+.-]*:[/\\]+)?[^\s:/\\]*:([^\s/\\]+)@/iu.exec(value) ?? [];
    return password === undefined ? [] : [password, decoded(password)];
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
