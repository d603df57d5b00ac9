/** An HTTP request. This layer knows nothing of the exchange. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Absolute path with query, e.g. `/v2/orders/?page=1`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** The whole answer must arrive within this time. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Called when a transport that waits for connections has one for this request. Throwing prevents the send. */
  readonly whenConnected?: (() => void) | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Carries requests to the exchange: over sockets, or in process. `send` rejects with TransportError only. Its outcome is
 * `not-sent` only when no byte of the request can have arrived.
 */
export interface HttpTransport {
  /** Each request waits for a connection, then `whenConnected` is called, then it leaves. Default: it leaves at once. */
  readonly waitsForConnections?: true;
  send(request: HttpRequest): Promise<HttpAnswer>;
  close(): Promise<void>;
}

export interface SocketHandlers {
  onOpen(): void;
  /** A text message, undecoded UTF-8. The receiver may keep the buffer. */
  onMessage(data: Uint8Array): void;
  /** Bytes arrived, perhaps only part of a message: on a slow line a large message takes long. */
  onBytes?(): void;
  /** The upgrade was answered with a status other than 101. No other handler is called afterwards. */
  onRefused(status: number, body: string): void;
  /** Either side ended the connection. `code` is null when no close frame came. Called at most once. */
  onClose(code: number | null, reason: string): void;
}

export interface Socket {
  /** Queues a text message; does nothing when the connection is not open. */
  send(text: string): void;
  /** Ends the connection at once, without waiting for the other side. */
  terminate(): void;
}

/** Opens WebSocket connections to the exchange's stream: over the network, or in process. */
export interface SocketTransport {
  /** `query` is added to the stream's address. It carries the key, so the address is never logged. */
  open(query: Readonly<Record<string, string>>, handlers: SocketHandlers): Socket;
}
