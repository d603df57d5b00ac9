/**
 * What a network error is called: its code (`ECONNREFUSED`, `UND_ERR_SOCKET`, …) or else its name. Never its message,
 * which may quote an address or a header and so the key.
 */
export function faultCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown fault';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return /^[\w-]{1,64}$/.test(code) ? code : 'unknown fault';
}
