//! A client: a server's origin, a token, and a transport.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use http::HeaderValue;
use http::header::USER_AGENT;

use super::request::{DEFAULT_USER_AGENT, build};
use super::{
    Answer, Encode, Encoder, Error, ErrorKind, Exchange, FromAnswer, Origin, Token, Transport,
    answer,
};
use crate::known::{Fallback, Gate, NoServer, Plan, Policy, Server, plan};
use crate::{Operation, Request};

/// A client of one server. Cloning it is cheap, and clones share their connections.
#[derive(Clone)]
pub struct Client {
    origin: Origin,
    token: Option<Token>,
    user_agent: HeaderValue,
    timeout: Duration,
    max_bytes: u64,
    transport: Arc<dyn Transport>,
    knowledge: Option<Arc<Knowledge>>,
}

/// What a client knows of its server, and what it does with that.
struct Knowledge {
    gate: Gate,
    policy: Policy,
    fallbacks: &'static [Fallback],
}

impl Client {
    /// A client over a transport of one's own.
    pub fn with_transport(origin: Origin, transport: impl Transport + 'static) -> Self {
        Self {
            origin,
            token: None,
            user_agent: HeaderValue::from_static(DEFAULT_USER_AGENT),
            timeout: Duration::from_secs(60),
            max_bytes: 32 * 1024 * 1024,
            transport: Arc::new(transport),
            knowledge: None,
        }
    }

    /// Sends a token with each request.
    #[must_use]
    pub fn token(mut self, token: impl Into<Token>) -> Self {
        self.token = Some(token.into());
        self
    }

    /// Names the application, like `elephant/1.2`. Without a name the client names itself, for some servers refuse who has none. A name
    /// that no header can hold is not taken.
    #[must_use]
    pub fn user_agent(mut self, name: &str) -> Self {
        if let Ok(value) = HeaderValue::from_str(name)
            && !name.trim().is_empty()
        {
            self.user_agent = value;
        }
        self
    }

    /// The time for a request and its answer; a minute unless told.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// The longest body of an answer; 32 MiB unless told.
    #[must_use]
    pub fn max_bytes(mut self, bytes: u64) -> Self {
        self.max_bytes = bytes;
        self
    }

    /// Knows its server, and what to do with a request that it does not have in whole.
    #[must_use]
    pub fn knowing(mut self, gate: Gate, policy: Policy) -> Self {
        self.knowledge = Some(Arc::new(Knowledge {
            gate,
            policy,
            fallbacks: &[],
        }));
        self
    }

    /// Knows operations that stand in for others, for [`Policy::Adapt`].
    #[must_use]
    pub fn fallbacks(mut self, fallbacks: &'static [Fallback]) -> Self {
        self.knowledge = self.knowledge.map(|known| {
            Arc::new(Knowledge {
                gate: known.gate.clone(),
                policy: known.policy,
                fallbacks,
            })
        });
        self
    }

    /// What would become of a request, without sending it; `None` where the client does not know its server.
    pub fn plan<R: Request + Encode>(&self, request: &R) -> Option<Plan> {
        self.planned(&Encoder::collect(R::OPERATION, request))
    }

    /// Asks who answers, in at most four requests without the token.
    ///
    /// # Errors
    ///
    /// When nobody answers.
    pub async fn discover(&self) -> Result<Server, NoServer> {
        Server::discover(&*self.transport, &self.origin).await
    }

    /// The server's origin.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Sends a request and reads its answer.
    ///
    /// # Errors
    ///
    /// When it cannot be sent, is not answered, is answered by an error, or its answer does not fit.
    pub async fn send<R>(&self, request: R) -> Result<Answer<R::Answer>, Error>
    where
        R: Request + Encode,
        R::Answer: FromAnswer,
    {
        let (exchange, plan) = self.exchange(R::OPERATION, &request)?;
        drop(request);
        let doubted = |error: Error| error.with_doubts(plan.as_ref());
        let response = self.transport.call(exchange).await;
        let response = response
            .map_err(|error| doubted(Error::new(R::OPERATION, ErrorKind::Transport(error))))?;
        let mut answer =
            answer::read(R::OPERATION, response, self.token.as_ref()).map_err(doubted)?;
        answer.adapted = plan.filter(|plan| !plan.is_as_written());
        Ok(answer)
    }

    fn exchange(
        &self,
        operation: &'static Operation,
        request: &dyn Encode,
    ) -> Result<(Exchange, Option<Plan>), Error> {
        let mut encoder = Encoder::collect(operation, request);
        let plan = self.planned(&encoder);
        if let Some(plan) = &plan {
            if let Some(refusal) = &plan.refused {
                return Err(Error::new(
                    operation,
                    ErrorKind::Unsupported(refusal.clone()),
                ));
            }
            encoder.follow(plan);
        }
        let mut request = build(&encoder, &self.origin, self.token.as_ref())?;
        let headers = request.headers_mut();
        headers.insert(USER_AGENT, self.user_agent.clone());
        let exchange = Exchange {
            request,
            timeout: self.timeout,
            max_bytes: self.max_bytes,
        };
        Ok((exchange, plan))
    }

    fn planned(&self, encoder: &Encoder<'_>) -> Option<Plan> {
        let known = self.knowledge.as_ref()?;
        let (operation, set) = (encoder.operation(), encoder.settings());
        Some(plan(
            &known.gate,
            known.policy,
            operation,
            set,
            known.fallbacks,
        ))
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("origin", &self.origin)
            .field("token", &self.token)
            .field("user_agent", &self.user_agent)
            .finish_non_exhaustive()
    }
}
