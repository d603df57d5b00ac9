/** One HTTP request, below everything that knows the exchange. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Absolute path with query, e.g. `/v2/orders/?page=1`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** The whole answer must have arrived within this time. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Called when it has a connection, if these are waited for: what throws keeps the request from being sent. */
  readonly whenConnected?: (() => void) | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Carries requests to the exchange: over sockets, or in process. `send` rejects with TransportError alone, and says
 * `not-sent` only when no byte of the request can have arrived.
 */
export interface HttpTransport {
  /** A connection is waited for: of each request `whenConnected` is called before it leaves. Default: it leaves at once. */
  readonly waitsForConnections?: true;
  send(request: HttpRequest): Promise<HttpAnswer>;
  close(): Promise<void>;
}

export interface SocketHandlers {
  onOpen(): void;
  /** One text message, undecoded UTF-8; the buffer is the receiver's to keep. */
  onMessage(data: Uint8Array): void;
  /** Something has come, be it a part of a message: where the line is slow, a large one takes long. */
  onBytes?(): void;
  /** The upgrade was answered by something else than 101. No other handler is called afterwards. */
  onRefused(status: number, body: string): void;
  /** The connection ended, by whichever side; `code` null for a close without a close frame. Called at most once. */
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
  /** `query` is added to the stream's address; it carries the key, so an address is never logged. */
  open(query: Readonly<Record<string, string>>, handlers: SocketHandlers): Socket;
}
