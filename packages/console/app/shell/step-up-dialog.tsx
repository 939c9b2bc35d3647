import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useEffect, useId, useRef } from "react";
import { client, type components } from "../api/client.js";
import { configQuery } from "../api/config.js";
import { settleProof } from "../api/step-up.js";
import { openidAddress } from "../areas/session/other-ways.js";
import { SecondFactor } from "../areas/session/second-factor.js";
import { t } from "../texts/index.js";
import { Loaded } from "../ui/loaded.js";
import { Failed } from "../ui/states.js";

type Proof = components["schemas"]["SecondFactorProof"];

/** Asks for the second factor again. Then what was refused is sent once more, and otherwise not. */
export function StepUpDialog({ detail }: { readonly detail: string }) {
  const at = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (!at.current?.open) at.current?.showModal();
  }, []);
  const challenge = useQuery({
    queryKey: ["second_factor", "challenge", id],
    queryFn: async () => (await client.POST("/api/v1/auth/factors/challenge")).data,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const proving = useMutation({
    mutationFn: (body: Proof) => client.POST("/api/v1/auth/factors/proof", { body }),
    onSuccess: () => settleProof(true),
  });
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = Object.fromEntries([...new FormData(event.currentTarget)].filter(([, value]) => value !== ""));
    if (!proving.isPending) proving.mutate(given as Proof);
  };
  const methods = challenge.data?.methods ?? [];
  return (
    <dialog ref={at} className="dialog" aria-labelledby={id} onClose={() => settleProof(false)}>
      <form onSubmit={send}>
        <h2 id={id}>{t.session.stepUp.title}</h2>
        <p>{detail}</p>
        <Loaded query={challenge}>
          {(asked) =>
            asked.methods.length === 0 ? (
              <OtherProof />
            ) : (
              <SecondFactor
                wanted={asked}
                onPasskey={(passkey) => proving.mutate({ challenge: asked.challenge, passkey })}
              />
            )
          }
        </Loaded>
        {proving.isError && <Failed error={proving.error} />}
        <div className="dialog-actions">
          <button type="button" onClick={() => at.current?.close()}>
            {t.dialog.cancel}
          </button>
          {methods.length > 0 && (
            <button type="submit" className="primary" aria-disabled={proving.isPending}>
              {t.session.stepUp.prove}
            </button>
          )}
        </div>
      </form>
    </dialog>
  );
}

/** For somebody without a factor here: how to get one, or to sign in anew where the provider has asked for one. */
function OtherProof() {
  const { data: config } = useQuery(configQuery);
  const providers = config?.signIn.openid ?? [];
  return (
    <>
      <p>{t.session.stepUp.none}</p>
      <p>
        <Link to="/account" onClick={() => settleProof(false)}>
          {t.account.title}
        </Link>
      </p>
      {providers.length > 0 && <p>{t.session.stepUp.again}</p>}
      {providers.map(({ name, label }) => (
        <a key={name} className="button" href={openidAddress(name, { again: "true" })}>
          {label}
        </a>
      ))}
    </>
  );
}
