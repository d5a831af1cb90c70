/**
 * The live things that outlast one call: a registry of sessions, a pool of provers. Each is made when it is first asked
 * for and closed with the others, last made first; an area of operations adds its own by a factory and nothing else.
 */

export interface Service {
  /** Ends everything that the service started. Called once. */
  close(): Promise<void>;
  /** Ends what belongs to a client that went away for good. */
  clientGone?(client: string): Promise<void>;
  /** Notes that a client has no connection now; it may come again under its name. */
  clientAway?(client: string): void;
}

export interface ServiceSettings {
  /** Milliseconds without a call after which a session may be closed. */
  readonly sessionIdleMs: number;
  /** How many sessions there may be, of all clients together. */
  readonly maximumSessions: number;
  /** Bytes of resident memory that all provers together may use. */
  readonly proverMemory: number;
  /** Where what is computed once is kept; undefined: nowhere. */
  readonly cacheDirectory?: string;
}

export type ServiceFactory<T extends Service> = (settings: ServiceSettings) => T;

export class Services {
  readonly settings: ServiceSettings;
  readonly #made = new Map<ServiceFactory<Service>, Service>();
  #closing: Promise<void> | undefined;

  constructor(settings: ServiceSettings) {
    this.settings = settings;
  }

  /** The service of a factory, made at the first call. The same factory gives the same service. */
  get<T extends Service>(factory: ServiceFactory<T>): T {
    if (this.#closing !== undefined) throw new Error('The services are closed.');
    const existing = this.#made.get(factory);
    // The map holds under a factory only what that factory made.
    if (existing !== undefined) return existing as T;
    const service = factory(this.settings);
    this.#made.set(factory, service);
    return service;
  }

  /** Tells every service that a client went away for good. */
  async clientGone(client: string): Promise<void> {
    await Promise.all([...this.#made.values()].map(async (service) => service.clientGone?.(client)));
  }

  /** Tells every service that a client has no connection now. */
  clientAway(client: string): void {
    for (const service of this.#made.values()) service.clientAway?.(client);
  }

  close(): Promise<void> {
    this.#closing ??= (async () => {
      for (const service of [...this.#made.values()].reverse()) await service.close();
    })();
    return this.#closing;
  }
}
