/** An expected failure of a request. Stages throw it and `answer` turns it into the error body: a parser that is ten calls deep is easier to read if
 *  it does not return errors through each of them. Any other error is a bug and becomes a 500 without details. */
import { type ErrorArguments, type ErrorCode, errorCatalogue } from './catalogue/catalogue.ts';
import type { ErrorDefinition } from './catalogue/error-definition.ts';

export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly errorName: string;
  /** Undefined only where Strapi omits the key. */
  readonly details: Readonly<Record<string, unknown>> | undefined;

  private constructor(
    code: ErrorCode,
    message: string,
    details: Readonly<Record<string, unknown>> | undefined,
    options: ErrorOptions = {},
  ) {
    super(message, options);
    const definition = errorCatalogue[code];
    this.code = code;
    this.status = definition.status;
    this.errorName = definition.name;
    this.details = details;
  }

  /** `ApiError.of('limit.depth', { limit: 20, … })`: the catalogue has the text, and `details` becomes part of the body. */
  static of<Code extends ErrorCode>(code: Code, ...[at, details = {}]: ErrorParts<Code>): ApiError {
    const message = errorCatalogue[code].message as (at: ErrorArguments<Code> | undefined) => string;
    return new ApiError(code, message(at), details);
  }

  /** A failure of something that the server depends on. The client gets the message, and the log gets the cause. */
  static causedBy<Code extends ErrorCode>(cause: Error, code: Code, ...parts: ErrorParts<Code>): ApiError {
    const { message, details } = ApiError.of(code, ...parts);
    return new ApiError(code, message, details, { cause });
  }

  /** Seconds after which the same request may succeed; undefined if unknown. */
  get retryAfter(): number | undefined {
    const definition: ErrorDefinition = errorCatalogue[this.code];
    return definition.retryAfter;
  }

  /** The message for the operator: the cause, if there is one, which clients do not see. */
  get problem(): string {
    return this.cause instanceof Error ? this.cause.message : this.message;
  }

  /** The error as plain data for another process: class instances cannot be sent there. */
  toData(): ApiErrorData {
    return { code: this.code, message: this.message, details: this.details, cause: this.cause instanceof Error ? this.problem : undefined };
  }

  static fromData({ code, message, details, cause }: ApiErrorData): ApiError {
    return new ApiError(code, message, details, cause === undefined ? {} : { cause: new Error(cause) });
  }
}

/** The values for the text of an error, if it has placeholders, and the `details` of its body. */
type ErrorParts<Code extends ErrorCode> =
  undefined extends ErrorArguments<Code> ? [at?: undefined, details?: Details] : [at: ErrorArguments<Code>, details?: Details];
type Details = Readonly<Record<string, unknown>>;

export interface ApiErrorData {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  /** The message of its cause. */
  readonly cause: string | undefined;
}
