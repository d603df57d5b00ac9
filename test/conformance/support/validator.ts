import addFormats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** Any JSON that the exchange sent. Tests read it without types. */
export type Wire = ReturnType<typeof JSON.parse>;

/** Validates answers and frames of the exchange against the document that it serves. */
export class DocumentValidator {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #paths: readonly { readonly pattern: RegExp; readonly path: string }[];
  readonly #document: Wire;

  constructor(document: Wire) {
    this.#document = document;
    addFormats.default(this.#ajv);
    this.#ajv.addSchema(document, 'document');
    const paths = Object.keys(document.paths);
    // A fixed path precedes one with parameters.
    paths.sort((a, b) => Number(a.includes('{')) - Number(b.includes('{')));
    this.#paths = paths.map((path) => ({ path, pattern: patternOf(path) }));
  }

  /** The mistakes of an answer; empty when there are none. */
  response(method: string, url: string, status: number, body: unknown): string[] {
    const pathname = new URL(url, 'http://exchange').pathname.replace(/^\/magic-api/, '');
    const path = this.#paths.find(({ pattern }) => pattern.test(pathname))?.path;
    if (path === undefined) return status === 404 ? [] : [`${pathname} is not described`];
    const operation = this.#document.paths[path][method.toLowerCase()];
    if (operation === undefined && status === 405) return [];
    if (operation?.responses[status] === undefined) {
      return [`${method} ${pathname} is not described as answering ${status}`];
    }
    const pointer = ['paths', path, method.toLowerCase(), 'responses', String(status)];
    return this.#check([...pointer, 'content', 'application/json', 'schema'], body);
  }

  /** The mistakes of a stream frame; empty when there are none. */
  frame(frame: unknown): string[] {
    return this.#check(['components', 'schemas', 'StreamFrame'], frame);
  }

  #check(pointer: readonly string[], value: unknown): string[] {
    const validate = this.#ajv.getSchema(`document#/${pointer.map(escape).join('/')}`) as ValidateFunction;
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  }
}

const escape = (part: string): string => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));

const patternOf = (path: string): RegExp => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
