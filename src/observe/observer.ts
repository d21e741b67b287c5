/** What is told of each request: metrics, spans, the log of slow requests. */
import type { IncomingHttpHeaders } from 'node:http';
import type { RequestRecord } from './request-record.ts';

/** A request whose response was sent. */
export interface AnsweredRequest {
  readonly id: string;
  readonly method: string;
  /** The URL as it came. */
  readonly url: string;
  /** The template of the path, such as `/api/articles/:documentId`; undefined
   *  for a path without a route. */
  readonly route: string | undefined;
  readonly status: number;
  /** When it arrived, in milliseconds of `performance.now()`. */
  readonly at: number;
  readonly milliseconds: number;
  /** The stages that ran, `identify` first; empty for what responded before them. */
  readonly stages: readonly Stage[];
  readonly statements: number;
  /** Undefined where no cache could have had the response. */
  readonly cache: 'hit' | 'miss' | undefined;
  readonly caller: string | undefined;
  readonly record: RequestRecord | undefined;
}

export type Stage = readonly [name: string, milliseconds: number, at: number];

/** A request that is on its way. */
export interface ObservedRequest {
  readonly at: number;
  readonly record: RequestRecord;
  readonly span: RequestSpan | undefined;
  /** What its handler knows of it. */
  handled: Handled | undefined;
}

export type Handled = Pick<AnsweredRequest, 'stages' | 'statements' | 'cache' | 'caller'>;

/** The span of a request. */
export interface RequestSpan {
  readonly traceId: string;
  /** Runs what belongs to the request, so that spans of other libraries are below this one. */
  within<T>(work: () => T): T;
  end(answered: AnsweredRequest): void;
}

export interface ArrivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

export interface Observer {
  begin(request: ArrivedRequest): ObservedRequest;
  /** A request that was begun. */
  answered(answered: AnsweredRequest, observed: ObservedRequest): void;
}
