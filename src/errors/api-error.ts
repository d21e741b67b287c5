/** An expected failure of a request. Stages throw it and `answer` turns it into the error body: a parser that is ten calls deep reads
 *  better without passing an error value up through each of them. Anything else that is thrown is our bug and becomes a plain 500. */
import { type ErrorArguments, type ErrorCode, errorCatalogue } from './catalogue/catalogue.ts';
import type { ErrorDefinition } from './catalogue/error-definition.ts';

export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly errorName: string;
  /** Absent only where Strapi leaves the key out. */
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

  /** `ApiError.of('limit.depth', { limit: 20, … })`: the catalogue makes the text, `details` goes into the body. */
  static of<Code extends ErrorCode>(code: Code, ...[at, details = {}]: ErrorParts<Code>): ApiError {
    const message = errorCatalogue[code].message as (at: ErrorArguments<Code> | undefined) => string;
    return new ApiError(code, message(at), details);
  }

  /** A failure of something that the server depends on. Callers get the message, and the log gets the cause. */
  static causedBy<Code extends ErrorCode>(cause: Error, code: Code, ...parts: ErrorParts<Code>): ApiError {
    const { message, details } = ApiError.of(code, ...parts);
    return new ApiError(code, message, details, { cause });
  }

  /** Seconds after which the same request may succeed; undefined if unknown. */
  get retryAfter(): number | undefined {
    const definition: ErrorDefinition = errorCatalogue[this.code];
    return definition.retryAfter;
  }

  /** For the operator: the cause where there is one, which callers do not get. */
  get problem(): string {
    return this.cause instanceof Error ? this.cause.message : this.message;
  }

  /** The plain data of an error that comes from another process, which does not keep classes. */
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
