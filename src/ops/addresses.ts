import { isIP } from 'node:net';

/** An address to listen on. Port 0 takes any free port. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Whether only programs on this machine reach the address. */
export const isLoopback = (host: string): boolean =>
  ['localhost', '::1', '[::1]'].includes(host) || (isIP(host) === 4 && host.startsWith('127.'));

/** Address of a server; IPv6 addresses need brackets. */
export const urlOf = (protocol: 'http' | 'https', { host, port }: Address): string =>
  `${protocol}://${host.includes(':') ? `[${host}]` : host}:${port}`;
