import { UserError, type UserErrorDetails } from '../../errors.ts';

/**
 * What went wrong between us and the platform. It holds no request and no answer, and it has no `cause`: whatever prints
 * it, in whatever way, prints no token and no secret.
 */
export class CloudError extends UserError {
  /** Whether the request may have taken effect all the same. */
  readonly isUnsure: boolean;

  constructor(message: string, details: UserErrorDetails & { isUnsure?: boolean }) {
    super(message, details);
    this.isUnsure = details.isUnsure ?? false;
  }
}

/** Whether nobody knows if the change came about during which this error arose. */
export const hasUnknownOutcome = (error: UserError): boolean =>
  error.reason === 'interrupted' || (error instanceof CloudError && error.isUnsure);
