import { UserError, type UserErrorDetails } from '../errors.ts';

/**
 * An error in a request to the platform. It contains neither the request nor the response and has no `cause`, so
 * printing it in any way never prints a token or a secret.
 */
export class CloudError extends UserError {
  /** Whether the request may have taken effect despite the error. */
  readonly isUnsure: boolean;
  /** The HTTP status of the platform's refusal. */
  readonly status: number | undefined;
  /** How long the sender of the refusal asks us to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    details: UserErrorDetails & { isUnsure?: boolean; status?: number; retryAfterMs?: number | undefined },
  ) {
    super(message, details);
    this.isUnsure = details.isUnsure ?? false;
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** Whether the change that failed with this error may have taken effect. */
export const hasUnknownOutcome = (error: UserError): boolean =>
  error.reason === 'interrupted' || (error instanceof CloudError && error.isUnsure);
