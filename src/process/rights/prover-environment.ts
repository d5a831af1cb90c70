/** The environment that provers run in: all of the user's but what may be a key. What they run need not be the user's. */

const MAY_BE_A_KEY = /key|token|secret|passw|credential|auth/iu;

/** Whether a variable is told to no prover and no project. */
export function mayBeAKey(name: string): boolean {
  return MAY_BE_A_KEY.test(name);
}

export function withoutKeys(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !mayBeAKey(name)));
}
