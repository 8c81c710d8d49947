//! Makes messages and typed calls from `proto/blerpc.proto`, without any program but this one.

use std::path::Path;
use std::{env, fs};

use micropb_gen::config::CustomField;
use micropb_gen::service::{MethodView, ServiceGenerator, ServiceView, TypeResolver};
use micropb_gen::{Config, Generator};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// Longest text of `echo`: 256 octets in the published `blerpc.options`.
const TEXT_MAX: u32 = 256;

/// Longest name of a method that the published firmware takes.
const NAME_MAX: usize = 16;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=proto/blerpc.proto");
    let out = env::var_os("OUT_DIR").expect("cargo names the folder of what a build makes");
    let descriptors = Path::new(&out).join("blerpc.descriptors");
    let mut compiler = protox::Compiler::new(["proto"]).expect("the folder of protocol files is there");
    compiler.include_source_info(true).include_imports(true);
    // A message of the compiler has file, line and column.
    if let Err(error) = compiler.open_file("blerpc.proto") {
        panic!("{error:?}");
    }
    fs::write(&descriptors, compiler.encode_file_descriptor_set())
        .expect("the folder of what a build makes takes files");

    let mut generator = Generator::new();
    generator.use_container_heapless();
    for text in [".blerpc.EchoRequest.message", ".blerpc.EchoResponse.message"] {
        generator.configure(text, Config::new().max_bytes(TEXT_MAX));
    }
    // Octets of flash are never in a message: they go between the wire and their place.
    for octets in ["FlashReadResponse", "DataWriteRequest", "BulkReadResponse", "BulkWriteRequest"] {
        let octets_stay = Config::new().custom_field(CustomField::from_type("crate::message::Octets"));
        generator.configure(&format!(".blerpc.{octets}.data"), octets_stay);
    }
    generator.configure(".", Config::new().type_attributes("#[derive(Eq)]"));
    generator.add_service_generator(Calls);
    generator
        .compile_fdset_file(&descriptors, Path::new(&out).join("blerpc.rs"))
        .expect("the protocol file is within what the generator knows");
}

/// Makes of each service: a list of its methods, a type for each of them, and the trait of who serves them.
struct Calls;

impl ServiceGenerator for Calls {
    fn generate(&mut self, service: &ServiceView, resolver: &dyn TypeResolver) -> TokenStream {
        let list = list_of_methods(service);
        let calls = service.methods.iter().map(|method| call(method, resolver));
        let server = server(service, resolver);
        quote! { #list #(#calls)* #server }
    }
}

/// An enum of the service's methods, with name and kind of each.
fn list_of_methods(service: &ServiceView) -> TokenStream {
    let methods = ident(&format!("{}Method", service.name));
    let doc = format!("The methods of the service `{}`.", service.name);
    let count = service.methods.len();
    let variants: Vec<_> = service.methods.iter().map(|method| ident(method.name)).collect();
    let names: Vec<_> = service.methods.iter().map(wire_name).collect();
    let docs = names.iter().map(|name| format!("`{name}`."));
    let kinds = service.methods.iter().map(kind);
    quote! {
        #[doc = #doc]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum #methods { #( #[doc = #docs] #variants, )* }

        impl #methods {
            /// Methods in the order of the protocol file.
            pub const ALL: [Self; #count] = [#(Self::#variants,)*];

            /// The method of this name on the wire.
            pub fn named(name: &str) -> Option<Self> {
                match name { #( #names => Some(Self::#variants), )* _ => None }
            }

            /// Its name on the wire.
            pub const fn name(self) -> &'static str {
                match self { #( Self::#variants => #names, )* }
            }

            /// Kind of the call: the number of messages each way.
            pub const fn kind(self) -> crate::Kind {
                match self { #( Self::#variants => #kinds, )* }
            }
        }
    }
}

/// A type that stands for one method, so that requests and responses of a call are of the right types.
fn call(method: &MethodView, resolver: &dyn TypeResolver) -> TokenStream {
    let (name, kind, wire_name) = (ident(method.name), kind(method), wire_name(method));
    let (request, response) = (resolver.rust_path(method.input_type), resolver.rust_path(method.output_type));
    let doc = format!(
        "Calls of `{wire_name}`: {} [`{request}`], {} [`{response}`].",
        many(method.client_streaming),
        many(method.server_streaming)
    );
    quote! {
        #[doc = #doc]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct #name;

        impl crate::message::Call for #name {
            const NAME: &'static str = #wire_name;
            const KIND: crate::Kind = #kind;
            type Request = #request;
            type Response = #response;
        }
    }
}

/// The trait of who serves, and the way from octets of a request to its methods.
fn server(service: &ServiceView, resolver: &dyn TypeResolver) -> TokenStream {
    let (server, methods) = (ident(&format!("{}Server", service.name)), ident(&format!("{}Method", service.name)));
    let doc = format!(
        "Who serves the methods of `{}`: each is told of every request message of its calls, once.",
        service.name
    );
    let variants: Vec<_> = service.methods.iter().map(|method| ident(method.name)).collect();
    let names: Vec<_> = service.methods.iter().map(|method| ident(&wire_name(method))).collect();
    let requests: Vec<_> = service.methods.iter().map(|method| resolver.rust_path(method.input_type)).collect();
    let docs = service
        .methods
        .iter()
        .map(|method| format!("A request of `{}`.\n\n# Errors\nEnds the call with this status.", wire_name(method)));
    quote! {
        #[doc = #doc]
        pub trait #server {
            #(
                #[doc = #docs]
                fn #names(&mut self, call: crate::CallId, request: #requests) -> Result<(), crate::Status>;
            )*

            /// Gives a request message to its method.
            ///
            /// # Errors
            /// [`BadArgument`](crate::Status::BadArgument) if the octets are no such message; else what the method says.
            fn dispatch(&mut self, method: #methods, call: crate::CallId, octets: &[u8]) -> Result<(), crate::Status> {
                match method {
                    #( #methods::#variants => self.#names(call, crate::message::decode(octets).map_err(|_| crate::Status::BadArgument)?), )*
                }
            }
        }
    }
}

fn kind(method: &MethodView) -> TokenStream {
    match (method.client_streaming, method.server_streaming) {
        (false, false) => quote!(crate::Kind::Unary),
        (false, true) => quote!(crate::Kind::ServerStream),
        (true, false) => quote!(crate::Kind::ClientStream),
        (true, true) => quote!(crate::Kind::Bidirectional),
    }
}

fn many(stream: bool) -> &'static str {
    if stream { "a stream of" } else { "one" }
}

/// `FlashRead` is `flash_read` on the wire.
fn wire_name(method: &MethodView) -> String {
    let mut name = String::new();
    for (at, letter) in method.name.chars().enumerate() {
        if letter.is_ascii_uppercase() && at > 0 {
            name.push('_');
        }
        name.push(letter.to_ascii_lowercase());
    }
    assert!(name.len() <= NAME_MAX, "{name} is longer than the {NAME_MAX} octets that the published firmware takes");
    name
}

fn ident(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}
