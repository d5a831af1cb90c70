/** The part of the WebAssembly API that the worker uses; neither `es2024` nor Node's types declare it. */

export interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

export interface Table {
  readonly length: number;
}

export interface Instance {
  readonly exports: Readonly<Record<string, unknown>>;
}

export type Imports = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

type Class<Value, Parameters extends readonly unknown[] = never> = new (...parameters: Parameters) => Value;

export interface WebAssemblyApi {
  readonly Memory: Class<Memory>;
  readonly Table: Class<Table>;
  readonly Instance: Class<Instance, [module: object, imports: Imports]>;
  compile(bytes: Uint8Array): Promise<object>;
  instantiate(module: object, imports: Imports): Promise<Instance>;
}

export const nativeWebAssembly = Reflect.get(globalThis, 'WebAssembly') as WebAssemblyApi;
