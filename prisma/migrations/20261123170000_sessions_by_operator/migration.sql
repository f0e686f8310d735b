-- Whether a sign-in link of the command line began the session: only such a session may set a password without the present one.
ALTER TABLE "Session" ADD COLUMN "byOperator" BOOLEAN NOT NULL DEFAULT false;
