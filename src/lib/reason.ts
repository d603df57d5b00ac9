/** The message of a thrown value, without a stack. A checker of schemas puts JSON there: its findings are named in words instead. */
export function reasonOf(error: unknown): string {
  if (error instanceof Error) return findingsIn(error) ?? error.message;
  try {
    return String(error);
  } catch {
    // `String` throws on an object without a prototype, and anything can be thrown.
    return `a thrown ${typeof error}`;
  }
}

interface Finding {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** `a.b: what is wrong` for each finding of a checker of schemas; null for any other error. */
function findingsIn(error: Error): string | null {
  const { issues } = error as { readonly issues?: readonly Finding[] };
  if (!Array.isArray(issues) || issues.length === 0) return null;
  return (issues as readonly Finding[])
    .map(({ path, message }) => (path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`))
    .join('; ');
}

/**
 * A safe name of a network error: its code (`ECONNREFUSED`, `UND_ERR_SOCKET`, …), else the name of its class. Never its
 * message, which may quote an address or a header, and with it the key.
 */
export function faultCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown fault';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return /^[\w-]{1,64}$/.test(code) ? code : 'unknown fault';
}
