// Refusals of the agent that a caller can act on. Everything else that fails is data in the transcript.
import { UserError } from "../shared/errors.ts";

/** A run is on, so a second one cannot start. */
export class RunActiveError extends UserError {
  constructor() {
    super(
      "A run is active. Use steer() to say something after the current turn, followUp() for after the run, or abort() first.",
    );
  }
}
