import { connect } from 'node:net';

/** An address of this machine answers at once. */
const WITHIN_MS = 1_000;

/** Whether a program listens at an address. Another machine that does not answer in time counts as listening: it may be slow. */
export const isListening = (url: string): Promise<boolean> =>
  new Promise((settle) => {
    const { hostname, port, protocol } = new URL(url);
    const host = hostname.replace(/^\[|\]$/g, '');
    const socket = connect({ host, port: Number(port || (protocol === 'https:' ? 443 : 80)) });
    const end = (isThere: boolean): void => {
      socket.destroy();
      settle(isThere);
    };
    socket.setTimeout(WITHIN_MS, () => end(true));
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
