/** The message of a thrown value, without a stack. */
export function reasonOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  try {
    return String(error);
  } catch {
    // `String` throws on an object without a prototype, and anything can be thrown.
    return `a thrown ${typeof error}`;
  }
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
