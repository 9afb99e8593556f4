//! A call without async, over ureq: the client's core builds requests and decodes answers, and ureq does the IO.
//! `cargo run -p fedispec-tests --example blocking -- https://social.example garden`

use std::error::Error;
use std::io::Write;

use fedispec::client::{self, Answer, Encode, FromAnswer, Origin, Token};
use fedispec::runtime::Request;
use fedispec::{instance, tags};

type Outcome<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

const LONGEST: u64 = 8 * 1024 * 1024;

/// An agent that does not follow redirects, which would send the token elsewhere, and leaves error statuses to the core.
fn agent() -> ureq::Agent {
    let config = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false);
    config.timeout_global(Some(std::time::Duration::from_secs(30))).build().into()
}

fn call<R>(
    agent: &ureq::Agent,
    origin: &Origin,
    token: Option<&Token>,
    request: &R,
) -> Outcome<Answer<R::Answer>>
where
    R: Request + Encode,
    R::Answer: FromAnswer,
{
    let (parts, body) = client::request(request, origin, token)?.into_parts();
    let response = if body.is_empty() {
        agent.run(http::Request::from_parts(parts, ()))?
    } else {
        agent.run(http::Request::from_parts(parts, body.into_bytes()?.to_vec()))?
    };
    let (parts, body) = response.into_parts();
    let bytes = body.into_with_config().limit(LONGEST).read_to_vec()?;
    Ok(client::response::<R>(http::Response::from_parts(parts, bytes.into()))?)
}

fn main() -> Outcome {
    let args: Vec<_> = std::env::args().skip(1).collect();
    run(&args, &mut std::io::stdout())
}

/// Runs the example with its arguments, and writes its output.
pub fn run(args: &[String], out: &mut (impl Write + Send)) -> Outcome {
    let [origin, name] = args else {
        return Err("wanted: ORIGIN TAG".into());
    };
    let (agent, origin) = (agent(), origin.parse()?);
    let instance = call(&agent, &origin, None, &instance::GetV1::new())?;
    writeln!(out, "{} runs {}", instance.title, instance.version)?;
    let tag = call(&agent, &origin, None, &tags::Get::new(name))?;
    writeln!(out, "#{} is at {}", tag.name, tag.url)?;
    Ok(())
}
