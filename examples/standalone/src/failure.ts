/** A reason not to start that the operator can do something about; its message is all they are shown. */
export class StartFailure extends Error {}
